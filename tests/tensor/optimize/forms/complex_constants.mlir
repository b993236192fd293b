// Complex constants, infinite ones too.
// RUN
func.func @main(%x: tensor<2x2xcomplex<f32>>, %y: tensor<4xcomplex<f64>>) -> (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<4xcomplex<f64>>, tensor<2x2xf32>, tensor<3x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) {
  %c = stablehlo.constant dense<[[(1.0,2.0), (3.0,4.0)], [(5.0,-6.0), (0.0,0.0)]]> : tensor<2x2xcomplex<f32>>
  %i = stablehlo.constant dense<(0x7F800000,0.0)> : tensor<2x2xcomplex<f32>>
  %n = stablehlo.constant dense<(0x7FC00000,0.0)> : tensor<2x2xcomplex<f32>>
  %z = stablehlo.constant dense<(0.0,0.0)> : tensor<2x2xcomplex<f32>>
  %o = stablehlo.constant dense<(1.0,0.0)> : tensor<2x2xcomplex<f32>>
  %s = stablehlo.constant dense<(0.0,0.0)> : tensor<complex<f32>>
  %t = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %0 = stablehlo.add %x, %t : tensor<2x2xcomplex<f32>>
  %1 = stablehlo.add %0, %z : tensor<2x2xcomplex<f32>>
  %2 = stablehlo.multiply %1, %o : tensor<2x2xcomplex<f32>>
  %3 = stablehlo.add %i, %n : tensor<2x2xcomplex<f32>>
  %4 = stablehlo.multiply %x, %3 : tensor<2x2xcomplex<f32>>
  %d = stablehlo.constant dense<[(1.0,2.0), (3.0,4.0), (5.0,-6.0), (0.0,0.0)]> : tensor<4xcomplex<f64>>
  %e = stablehlo.constant dense<(0.0,1.0)> : tensor<4xcomplex<f64>>
  %5 = stablehlo.multiply %y, %d : tensor<4xcomplex<f64>>
  %6 = stablehlo.multiply %5, %e : tensor<4xcomplex<f64>>
  %7 = stablehlo.multiply %6, %e : tensor<4xcomplex<f64>>
  %8 = stablehlo.abs %c : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  %p = stablehlo.pad %c, %s, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x2xcomplex<f32>>
  %q = stablehlo.divide %x, %c : tensor<2x2xcomplex<f32>>
  return %2, %4, %7, %8, %p, %q : tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<4xcomplex<f64>>, tensor<2x2xf32>, tensor<3x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>
}
