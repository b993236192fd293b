"""XOR in Sheaf V1, for `benchmarks/training.py`, which runs this in an environment that has `sheaf-lang` 1.2.0.

Reads from its input how to train, `interpreted` or `jit`, and for how many epochs; answers with seconds and the loss.
"""

import sys
import time

import jax.numpy as jnp
from sheaf import Sheaf

PROGRAM = """
(defn loss [p x y]
  (let [h (relu (+ (@ x (get p :W1)) (get p :b1)))
        d (- (sigmoid (+ (@ h (get p :W2)) (get p :b2))) y)]
    (mean (* d d))))

(defn step [p x y rate]
  (let [[l g] ((value-and-grad loss) p x y)]
    [(tree-map (fn [w d] (- w (* rate d))) p g) l]))

(defn step-jit [p x y rate]
  (let [[l g] ((value-and-grad loss) p x y)]
    [(tree-map (fn [w d] (- w (* rate d))) p g) l])
  :jit)

(defn interpreted [p x y rate n] (repeat [i n] [s [p 0.0]] (step (first s) x y rate)))
(defn jit [p x y rate n] (repeat [i n] [s [p 0.0]] (step-jit (first s) x y rate)))
"""

X = jnp.array([[0, 0], [0, 1], [1, 0], [1, 1]], jnp.float32)
Y = jnp.array([[0], [1], [1], [0]], jnp.float32)
PARAMETERS = {
    "W1": jnp.array(
        [
            [0.05723, -0.00872, 0.04017, 0.09566, -0.01383, 0.06476, -0.03770, 0.04296],
            [0.06901, -0.09234, 0.03320, 0.07782, -0.04273, 0.00332, 0.00073, 0.00774],
        ]
    ),
    "b1": jnp.zeros(8),
    "W2": jnp.array([[-0.13197], [0.06499], [0.00506], [-0.04559], [0.09581], [-0.05592], [0.04567], [0.02028]]),
    "b2": jnp.zeros(1),
}


def main() -> None:
    program = Sheaf()
    program.load(PROGRAM)
    for line in sys.stdin:
        how, epochs = line.split()
        train = getattr(program, how)
        start = time.perf_counter()
        _, loss = train(PARAMETERS, X, Y, 0.7, int(epochs))
        loss = float(loss)
        print(time.perf_counter() - start, loss, flush=True)


if __name__ == "__main__":
    main()
