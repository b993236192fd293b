// A tensor type with an encoding.
// KEEP: "hello"
func.func @main(%x: tensor<4xf32, "hello">) -> tensor<4xf32, "hello"> {
  %0 = "foo.x"(%x) : (tensor<4xf32, "hello">) -> tensor<4xf32, "hello">
  return %0 : tensor<4xf32, "hello">
}
