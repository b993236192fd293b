// Constants that are infinite, no numbers, or as large as they can be.
// KEEP: 18446744073709551614
// RUN
func.func @main(%x: tensor<4xf32>, %b: tensor<4xbf16>, %h: tensor<4xf16>, %u: tensor<4xui64>, %s: tensor<4xi64>, %e: tensor<4xui8>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf16>, tensor<4xui64>, tensor<4xi64>, tensor<4xui8>, tensor<4xi8>, tensor<4xi32>, tensor<4xf32>) {
  %inf = stablehlo.constant dense<0x7F800000> : tensor<4xf32>
  %nan = stablehlo.constant dense<[0x7FC00000, 0xFF800000, 1.0, -0.0]> : tensor<4xf32>
  %0 = stablehlo.maximum %x, %inf : tensor<4xf32>
  %1 = stablehlo.multiply %nan, %inf : tensor<4xf32>
  %2 = stablehlo.add %x, %1 : tensor<4xf32>
  %bi = stablehlo.constant dense<0x7F80> : tensor<4xbf16>
  %bc = stablehlo.constant dense<3.0> : tensor<4xbf16>
  %bm = stablehlo.constant dense<3.389530e+38> : tensor<4xbf16>
  %3 = stablehlo.multiply %bm, %bc : tensor<4xbf16>
  %4 = stablehlo.add %b, %3 : tensor<4xbf16>
  %hm = stablehlo.constant dense<6.5504e+04> : tensor<4xf16>
  %hh = stablehlo.add %hm, %hm : tensor<4xf16>
  %5 = stablehlo.add %h, %hh : tensor<4xf16>
  %big = stablehlo.constant dense<18446744073709551615> : tensor<4xui64>
  %two = stablehlo.constant dense<2> : tensor<4xui64>
  %6 = stablehlo.multiply %big, %two : tensor<4xui64>
  %7 = stablehlo.add %u, %6 : tensor<4xui64>
  %seven = stablehlo.divide %7, %big : tensor<4xui64>
  %low = stablehlo.constant dense<-9223372036854775808> : tensor<4xi64>
  %m1 = stablehlo.constant dense<-1> : tensor<4xi64>
  %neg = stablehlo.negate %low : tensor<4xi64>
  %8 = stablehlo.add %s, %neg : tensor<4xi64>
  %9 = stablehlo.multiply %8, %m1 : tensor<4xi64>
  %e200 = stablehlo.constant dense<200> : tensor<4xui8>
  %10 = stablehlo.add %e200, %e200 : tensor<4xui8>
  %11 = stablehlo.add %e, %10 : tensor<4xui8>
  %12 = stablehlo.subtract %11, %e200 : tensor<4xui8>
  %13 = stablehlo.convert %e200 : (tensor<4xui8>) -> tensor<4xi8>
  %nan2 = stablehlo.constant dense<[1.5, -2.5, 3.0, 1.0e9]> : tensor<4xf32>
  %14 = stablehlo.convert %nan2 : (tensor<4xf32>) -> tensor<4xi32>
  %d = stablehlo.constant dense<1.0e-45> : tensor<4xf32>
  %dd = stablehlo.constant dense<1.0e-20> : tensor<4xf32>
  %ddd = stablehlo.multiply %dd, %dd : tensor<4xf32>
  %15 = stablehlo.divide %x, %dd : tensor<4xf32>
  %16 = stablehlo.divide %15, %dd : tensor<4xf32>
  return %0, %2, %4, %5, %seven, %9, %12, %13, %14, %16 : tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf16>, tensor<4xui64>, tensor<4xi64>, tensor<4xui8>, tensor<4xi8>, tensor<4xi32>, tensor<4xf32>
}
