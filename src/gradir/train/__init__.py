"""Training: the loop of epochs and batches as one compiled program, with checkpoints, and packages for a device.

from gradir import train
task = train.load("xor.shf")
result = train.run(task, train.Recipe(optimizer="sgd", rate=0.7, epochs=500))
result.parameters, result.losses
"""

from gradir.train.loop import Loop, State, run
from gradir.train.recipe import Recipe
from gradir.train.task import Task, load

__all__ = ["Loop", "Recipe", "State", "Task", "load", "run"]
