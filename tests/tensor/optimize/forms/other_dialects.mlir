// Ops and types of dialects that nobody knows.
// KEEP: "ml_program.global"
// KEEP: "foo.op"
// KEEP: "foo.region"
// KEEP: "foo.nothing"
// KEEP: !foo.bar
// KEEP: memref<4xf32>
module { 
  "ml_program.global"() {sym_name = "g", type = i32, is_mutable} : () -> ()
  func.func @main(%x: tensor<4xf32>, %m: memref<4xf32>, %k: index, %s: f32, %b: !foo.bar) -> (tensor<4xf32>, !foo.bar) {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = "foo.op"(%0, %k, %s) {a = 1 : i32} : (tensor<4xf32>, index, f32) -> tensor<4xf32>
  %2 = "foo.region"(%1) ({
   ^bb0(%y: tensor<4xf32>):
    %5 = stablehlo.negate %y : tensor<4xf32>
    %6 = stablehlo.negate %5 : tensor<4xf32>
    "foo.return"(%6) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  "foo.nothing"() : () -> ()
  %3 = stablehlo.negate %2 : tensor<4xf32>
  return %3, %b : tensor<4xf32>, !foo.bar
}}
