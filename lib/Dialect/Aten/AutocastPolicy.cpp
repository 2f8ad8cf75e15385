//===- AutocastPolicy.cpp - the lists of PyTorch's autocast ---------------===//
//
// The names are those under which PyTorch 2.13 registers kernels for autocast; test_autocast.py
// compares them with its registry. What is made of parts is not in the registry: these are the
// compositions whose parts are.
//
//===----------------------------------------------------------------------===//

#include "jit/Dialect/Aten/AutocastPolicy.h"
#include "jit/Dialect/Aten/Aten.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace jit {

namespace {
struct Policies {
  AutocastPolicy policy;
  /// Separated by blanks, in the namespace aten where none is said.
  StringRef names;
};
} // namespace

/// What PyTorch makes of a product with the same names on each device.
static constexpr StringLiteral partsOfProducts =
    "einsum inner cov corrcoef matrix_power linalg_matrix_power";
/// Gradients that are taken inside of a region run under it: jit-expand-gradients knows what that
/// does to which rule, for the CPU's list.
static constexpr StringLiteral gradients = "grad _gradient";

static const Policies onCpu[] = {
    {AutocastPolicy::Lower,
     "_addmm_activation _convolution.deprecated _native_multi_head_attention addbmm addmm baddbmm "
     "bmm conv1d conv1d.padding conv2d conv2d.padding conv3d conv3d.padding conv_tbc "
     "conv_transpose1d conv_transpose2d.input conv_transpose3d.input linalg_vecdot linear matmul "
     "mkldnn_rnn_layer mm prelu scaled_dot_product_attention"},
    {AutocastPolicy::Float32,
     "_grid_sampler_2d_cpu_fallback _lu_with_info adaptive_avg_pool3d adaptive_max_pool3d "
     "avg_pool3d binary_cross_entropy binary_cross_entropy_with_logits cdist cholesky "
     "cholesky_inverse cholesky_solve cosine_embedding_loss cross_entropy_loss ctc_loss.IntList "
     "ctc_loss.Tensor fake_quantize_per_tensor_affine fft_fft fft_fft2 fft_fftn fft_hfft fft_ifft "
     "fft_ifft2 fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn "
     "fractional_max_pool2d fractional_max_pool3d geqrf grid_sampler grid_sampler_2d "
     "grid_sampler_3d hinge_embedding_loss huber_loss inverse kl_div l1_loss linalg_cholesky "
     "linalg_cholesky_ex linalg_cond linalg_cond.p_str linalg_eig linalg_eigh linalg_eigvals "
     "linalg_eigvalsh linalg_householder_product linalg_inv linalg_inv_ex linalg_lstsq "
     "linalg_matrix_rank linalg_matrix_rank.atol_rtol_float linalg_matrix_rank.atol_rtol_tensor "
     "linalg_matrix_rank.tol_tensor linalg_qr linalg_solve linalg_svd linalg_svdvals "
     "linalg_tensorinv linalg_tensorsolve lu_solve margin_ranking_loss max_pool3d max_unpool2d "
     "max_unpool3d mse_loss multi_margin_loss multilabel_margin_loss "
     "multilabel_margin_loss_forward nanquantile nanquantile.scalar nll_loss nll_loss2d orgqr "
     "ormqr pinverse poisson_nll_loss polar prod prod.dim_int qr quantile quantile.scalar "
     "reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d replication_pad3d "
     "smooth_l1_loss soft_margin_loss stft stft.center svd trace triangular_solve "
     "triplet_margin_loss view_as_complex"},
    {AutocastPolicy::Widest, "cat index_copy stack"},
    {AutocastPolicy::Parts, partsOfProducts},
    {AutocastPolicy::Parts, "bilinear chain_matmul linalg_multi_dot tensordot"},
    {AutocastPolicy::LowerResult, "linalg_pinv linalg_pinv.atol_rtol_float "
                                  "linalg_pinv.atol_rtol_tensor linalg_pinv.rcond_tensor"},
    {AutocastPolicy::Parts, gradients},
    {AutocastPolicy::Refused, "_transformer_encoder_layer_fwd"},
    // The products of a step are cast, what the state is combined with by elements is not.
    {AutocastPolicy::Parts, "gru.data gru.input gru_cell lstm.data lstm_cell jit::_gru_masked "
                            "jit::_lstm_masked"},
    // One operator there, or all that the state is used for is a product.
    {AutocastPolicy::Lower, "lstm.input rnn_relu.data rnn_relu.input rnn_relu_cell rnn_tanh.data "
                            "rnn_tanh.input rnn_tanh_cell"},
};

static const Policies onCuda[] = {
    {AutocastPolicy::Lower,
     "_convolution _convolution.deprecated _scaled_dot_product_flash_attention "
     "_thnn_fused_gru_cell _thnn_fused_lstm_cell addbmm addmm addmv addr baddbmm bmm chain_matmul "
     "conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d.input "
     "conv_transpose3d.input convolution cudnn_convolution cudnn_convolution_transpose einsum "
     "gru_cell linalg_multi_dot linalg_vecdot linear lstm_cell matmul mm mv prelu rnn_relu_cell "
     "rnn_tanh_cell scaled_dot_product_attention"},
    {AutocastPolicy::Float32,
     "_upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_nearest_exact1d "
     "_upsample_nearest_exact2d _upsample_nearest_exact3d acos asin "
     "binary_cross_entropy_with_logits cdist cosh cosine_embedding_loss cosine_similarity dist "
     "erfinv exp expm1 frobenius_norm.dim group_norm hinge_embedding_loss huber_loss kl_div "
     "l1_loss layer_norm log log10 log1p log2 logsumexp margin_ranking_loss mse_loss "
     "multi_margin_loss multilabel_margin_loss native_layer_norm nll_loss nll_loss2d "
     "norm.Scalar norm.ScalarOpt_dim nuclear_norm nuclear_norm.dim pdist poisson_nll_loss "
     "pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor reciprocal renorm rms_norm rsqrt sinh "
     "smooth_l1_loss soft_margin_loss softplus tan triplet_margin_loss upsample_bicubic2d "
     "upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d "
     "upsample_nearest3d upsample_trilinear3d"},
    {AutocastPolicy::Float32ByDType,
     "cumprod cumsum linalg_matrix_norm linalg_matrix_norm.str_ord linalg_vector_norm "
     "log_softmax.int prod prod.dim_int softmax.int sum sum.dim_IntList"},
    {AutocastPolicy::Widest, "addcdiv addcmul atan2 bilinear cross dot grid_sampler index_put "
                             "scatter_add tensordot vdot"},
    {AutocastPolicy::Parts, "inner cov corrcoef matrix_power linalg_matrix_power"},
    {AutocastPolicy::Refused, gradients},
    {AutocastPolicy::Refused,
     "_native_multi_head_attention _transformer_encoder_layer_fwd binary_cross_entropy linalg_pinv "
     "linalg_pinv.atol_rtol_float linalg_pinv.atol_rtol_tensor linalg_pinv.rcond_tensor"},
    {AutocastPolicy::Lower, "gru.data gru.input lstm.data lstm.input rnn_relu.data rnn_relu.input "
                            "rnn_tanh.data rnn_tanh.input"},
};

static llvm::StringMap<AutocastPolicy> byName(ArrayRef<Policies> all) {
  llvm::StringMap<AutocastPolicy> result;
  for (const Policies &policies : all)
    for (StringRef name : llvm::split(policies.names, ' '))
      result[(name.contains(':') ? name : "aten::" + name).str()] = policies.policy;
  return result;
}

AutocastPolicy autocastPolicyOf(OperationName name, StringRef device) {
  static const llvm::StringMap<AutocastPolicy> cpu = byName(onCpu), cuda = byName(onCuda);
  const auto *interface = name.getInterface<AtenOpInterface>();
  if (!interface)
    return AutocastPolicy::None;
  SmallVector<StringRef> schemas{interface->getSchema()};
  llvm::append_range(schemas, interface->getAliases());
  for (StringRef schema : schemas) {
    const auto &policies = device == "cuda" ? cuda : cpu;
    if (auto found = policies.find(schema.split('(').first); found != policies.end())
      return found->second;
  }
  return AutocastPolicy::None;
}

} // namespace jit
