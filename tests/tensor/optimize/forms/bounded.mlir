// A size of which a bound is known.
// KEEP: #stablehlo.bounds<8>
func.func @main(%x: tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<?xf32, #stablehlo.bounds<8>> {
  %0 = stablehlo.negate %x : tensor<?xf32, #stablehlo.bounds<8>>
  %1 = stablehlo.negate %0 : tensor<?xf32, #stablehlo.bounds<8>>
  return %1 : tensor<?xf32, #stablehlo.bounds<8>>
}
