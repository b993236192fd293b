// Fourier transforms.
// KEEP: RFFT
// RUN
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2x8xcomplex<f32>>) {
  %k = stablehlo.constant dense<2.0> : tensor<4x8xf32>
  %s = stablehlo.multiply %x, %k : tensor<4x8xf32>
  %0 = stablehlo.fft %s, type = RFFT, length = [8] : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [8] : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
  %c = stablehlo.complex %x, %s : tensor<4x8xcomplex<f32>>
  %2 = stablehlo.fft %c, type = FFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  %3 = stablehlo.slice %2 [0:2, 0:8] : (tensor<4x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  return %1, %3 : tensor<4x8xf32>, tensor<2x8xcomplex<f32>>
}
