//===- ElementKinds.cpp - which elements an operator is for ---------------===//
//
// The names are those of operators that PyTorch 2.13 refuses on the CPU for some elements, whatever
// their overload; test_element_kinds.py compares them with eager PyTorch.
//
//===----------------------------------------------------------------------===//

#include "jit/Dialect/Aten/ElementKinds.h"

#include "ElementTypes.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/TypeRules.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace jit {

namespace {
/// Kinds of elements as a set of bits. PyTorch has some operators for int8 to int64 and not for
/// uint8, and the other way round.
enum Kinds : unsigned {
  bools = 1,
  bytes = 2,
  integers = 4,
  halves = 8,
  brains = 16,
  floats = 32,
  complexes = 64,
  unsigneds = 128, // of 16 bits and more
  eighths = 256,   // floats of eight bits
};

struct Group {
  unsigned kinds;
  /// Separated by blanks, in the namespace aten.
  StringRef names;
};
} // namespace

static const Group groups[] = {
    {halves | brains | floats,
     "_batch_norm_with_update _native_batch_norm_legit _native_batch_norm_legit_functional "
     "_native_batch_norm_legit_no_training _safe_softmax _softmax_backward_data _sparse_mm "
     "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d "
     "adaptive_max_pool2d adaptive_max_pool3d batch_norm binary_cross_entropy "
     "binary_cross_entropy_with_logits celu cosine_similarity elu embedding_bag frac frexp "
     "gelu glu grid_sampler grid_sampler_2d grid_sampler_3d group_norm hardshrink hardsigmoid "
     "hardswish histc hypot igamma igammac instance_norm kl_div layer_norm "
     "leaky_relu log_sigmoid log_softmax logaddexp2 max_pool1d max_unpool2d max_unpool3d mish "
     "multinomial nanmean native_batch_norm native_group_norm native_layer_norm nextafter "
     "nll_loss_nd prelu scaled_dot_product_attention segment_reduce selu softmax softplus "
     "softshrink upsample_linear1d upsample_trilinear3d"},
    {bools | bytes | integers | halves | brains | floats,
     "_unique2 amax amin aminmax argsort atan2 clamp clamp_max clamp_min copysign "
     "cosine_embedding_loss cummax cummin deg2rad digamma erf erfc erfinv fmax fmin ge gt "
     "heaviside i0 isneginf isposinf le lgamma logit lt max maximum min minimum mode msort "
     "nansum polygamma rad2deg sign signbit sort special_entr special_i0e special_i1 "
     "special_i1e special_ndtr special_xlog1py unique_consecutive xlogy"},
    {bools | bytes | integers | floats,
     "fft_ihfft fft_ihfft2 fft_ihfftn fft_rfft fft_rfft2 fft_rfftn special_airy_ai "
     "special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 "
     "special_chebyshev_polynomial_t special_chebyshev_polynomial_u "
     "special_chebyshev_polynomial_v special_chebyshev_polynomial_w special_erfcx "
     "special_hermite_polynomial_h special_hermite_polynomial_he special_laguerre_polynomial_l "
     "special_legendre_polynomial_p special_log_ndtr special_modified_bessel_i0 "
     "special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1 "
     "special_ndtri special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1 "
     "special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u "
     "special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w "
     "special_spherical_bessel_j0 special_zeta"},
    {floats | complexes,
     "_lu_with_info cholesky cholesky_inverse cholesky_solve geqrf linalg_cholesky "
     "linalg_cholesky_ex linalg_cond linalg_det linalg_eig linalg_eigh linalg_eigvals "
     "linalg_eigvalsh linalg_householder_product linalg_inv linalg_inv_ex linalg_ldl_factor "
     "linalg_ldl_factor_ex linalg_ldl_solve linalg_lstsq linalg_lu linalg_lu_factor "
     "linalg_lu_factor_ex linalg_lu_solve linalg_matrix_rank linalg_pinv linalg_qr "
     "linalg_slogdet linalg_solve linalg_solve_ex linalg_solve_triangular linalg_svd "
     "linalg_svdvals linalg_tensorinv linalg_tensorsolve logdet lu_solve ormqr pinverse qr "
     "sparse_sampled_addmm stft svd triangular_solve"},
    {bytes | integers | halves | brains | floats | complexes,
     "_convolution _convolution_mode abs addbmm addcmul addmm addmv baddbmm bilinear bmm "
     "corrcoef cov cross cumulative_trapezoid dot linalg_cross linear matmul mm mv neg "
     "pairwise_distance poisson_nll_loss positive pow sub trace trapezoid trapz "
     "triplet_margin_loss vdot"},
    {halves | brains | floats | complexes,
     "addcdiv dist lerp linalg_matrix_exp linalg_matrix_norm linalg_norm linalg_vecdot "
     "linalg_vector_norm logaddexp logcumsumexp mean renorm rms_norm silu soft_margin_loss std "
     "std_mean var var_mean"},
    {bytes | integers | halves | brains | floats,
     "argmax argmin ceil floor floor_divide fmod hardtanh index_reduce kthvalue "
     "margin_ranking_loss max_pool1d_with_indices max_pool2d max_pool2d_with_indices "
     "max_pool3d max_pool3d_with_indices median mvlgamma nanmedian relu relu6 remainder round "
     "threshold topk trunc"},
    {bools | bytes | integers | floats | complexes,
     "fft_fft fft_fft2 fft_fftn fft_hfft fft_hfft2 fft_hfftn fft_ifft fft_ifft2 fft_ifftn "
     "fft_irfft fft_irfft2 fft_irfftn"},
    {bytes | halves | brains | floats,
     "_upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d "
     "upsample_bicubic2d upsample_bilinear2d upsample_nearest1d upsample_nearest2d "
     "upsample_nearest3d"},
    {floats,
     "cdist ctc_loss histogram multi_margin_loss multilabel_margin_loss nanquantile pdist polar "
     "quantile"},
    {bools | bytes | integers, "bitwise_and bitwise_not bitwise_or bitwise_xor"},
    {bytes | integers, "__lshift__ __rshift__ bitwise_left_shift bitwise_right_shift"},
    {complexes, "imag istft view_as_real"},
    {bytes | integers, "bincount gcd lcm"},
    {halves | floats, "complex view_as_complex"},
    {integers | halves | brains | floats, "avg_pool1d avg_pool2d"},
    {integers | halves | brains | floats | complexes, "gradient"},
    {bytes | floats, "_upsample_bilinear2d_aa"},
};

/// Of these PyTorch has few operators, so that the names here are those that have the kinds.
static const Group stored[] = {
    {unsigneds | eighths,
     "_chunk_cat _to_copy alias alias_copy all any as_strided as_strided_copy "
     "as_strided_scatter atleast_1d atleast_2d atleast_3d block_diag broadcast_tensors "
     "broadcast_to cartesian_prod cat chunk clone column_stack conj_physical constant_pad_nd "
     "contiguous copy detach detach_copy diag diag_embed diagflat diagonal diagonal_copy "
     "diagonal_scatter dsplit dstack embedding empty_like eq expand expand_as expand_copy "
     "fft_fftshift fft_ifftshift fill flatten flip fliplr flipud float_power full_like hsplit "
     "hstack index index_select isnan isreal kron lift_fresh lift_fresh_copy linalg_diagonal "
     "mH mT matrix_H meshgrid movedim mul narrow narrow_copy ne new_empty new_empty_strided "
     "new_full new_ones new_zeros numpy_T ones_like outer pad permute permute_copy positive "
     "ravel real repeat repeat_interleave reshape reshape_as resolve_conj resolve_neg roll "
     "rot90 select select_scatter slice slice_scatter split split_with_sizes "
     "split_with_sizes_copy squeeze squeeze_copy stack t t_copy tensor_split tile to transpose "
     "transpose_copy type_as unbind unbind_copy unflatten unfold unfold_copy unsafe_chunk "
     "unsafe_split unsqueeze unsqueeze_copy view view_as view_copy vsplit vstack where zero "
     "zeros_like"},
    {unsigneds,
     "_unique2 acos acosh angle argsort asin asinh atan atan2 atanh bitwise_and bitwise_or "
     "bitwise_xor ceil copysign corrcoef cos cosh cosine_embedding_loss cumprod cumsum deg2rad "
     "digamma div erf erfc erfinv exp exp2 expm1 floor i0 isclose isfinite isinf isneginf "
     "isposinf lgamma linalg_vander log log10 log1p log2 logit logsumexp msort mvlgamma "
     "nan_to_num nansum polygamma prod rad2deg reciprocal rsqrt sigmoid signbit sin sinc sinh "
     "sort sqrt sum sum_to_size tan tanh trunc unique_consecutive xlogy"},
    {eighths, "_scaled_mm abs combinations index_put masked_select"},
};

/// Of those the ones whose operands are to have one element type.
static constexpr StringLiteral promoting[] = {
    "atan2", "bitwise_and", "bitwise_or", "bitwise_xor", "cat",   "copysign", "div",
    "eq",    "isclose",     "mul",        "ne",          "stack", "where",    "xlogy"};

static unsigned kindOf(Type dtype) {
  if (isFloat8(dtype))
    return eighths;
  if (isa<ComplexType>(dtype))
    return complexes;
  if (dtype.isF16() || dtype.isBF16())
    return dtype.isF16() ? halves : brains;
  if (isa<FloatType>(dtype))
    return floats;
  if (dtype.isInteger(1))
    return bools;
  if (dtype.isUnsignedInteger())
    return dtype.isInteger(8) ? bytes : unsigneds;
  return integers;
}

static std::string describe(unsigned kinds) {
  SmallVector<StringRef> names;
  for (auto [kind, name] : {std::pair(bools, "bool"),
                            {bytes, "uint8"},
                            {integers, "int8 to int64"},
                            {halves, "f16"},
                            {brains, "bf16"},
                            {floats, "f32 and f64"},
                            {unsigneds, "uint16 to uint64"},
                            {eighths, "float8"},
                            {complexes, "complex numbers"}})
    if (kinds & kind)
      names.push_back(name);
  return llvm::join(names, ", ");
}

/// The kinds that groups have for each operator.
static llvm::StringMap<unsigned> kindsByName(ArrayRef<Group> groups) {
  llvm::StringMap<unsigned> result;
  for (const Group &group : groups)
    for (StringRef name : llvm::split(group.names, ' '))
      result[("aten::" + name).str()] = group.kinds;
  return result;
}

/// 0 for what is in none of the groups.
static unsigned kindsFor(OperationName name, const llvm::StringMap<unsigned> &known) {
  const auto *interface = name.getInterface<AtenOpInterface>();
  if (!interface)
    return 0;
  SmallVector<StringRef> schemas{interface->getSchema()};
  llvm::append_range(schemas, interface->getAliases());
  for (StringRef schema : schemas)
    if (auto found = known.find(schema.split('(').first.split('.').first); found != known.end())
      return found->second;
  return 0;
}

/// All tensors among the operands, in lists too; with numbers where tensors may stand for them.
static SmallVector<Value> operandsOf(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (auto list = operand.getDefiningOp<ListOp>())
      llvm::copy_if(list.getElements(), std::back_inserter(operands),
                    [](Value v) { return isa<TensorType>(v.getType()); });
    else if (isa<TensorType>(operand.getType()) || op->hasTrait<TakesNumberAsTensor>())
      operands.push_back(operand);
  }
  return operands;
}

/// Of nothing PyTorch computes anything.
static bool isEmpty(Value operand) {
  auto tensor = dyn_cast<TensorType>(operand.getType());
  return tensor && tensor.hasRank() && llvm::is_contained(tensor.getSizes(), 0);
}

/// Says in which element type it computes.
static bool hasDType(Operation *op) {
  StringRef schema = cast<AtenOpInterface>(op).getSchema();
  return schema.contains("ScalarType? dtype") && !isa<NoneType>(op->getOperands().back().getType());
}

static bool isOnCpu(Operation *op) {
  auto func = op->getParentOfType<func::FuncOp>();
  auto device = func ? func->getAttrOfType<StringAttr>(deviceAttr) : StringAttr();
  return !device || device.getValue() == "cpu";
}

static StringRef nameOf(Operation *op) {
  return cast<AtenOpInterface>(op).getSchema().split('(').first;
}

/// Among the types of its operands, those of which PyTorch has few operators.
static unsigned rareKindsOf(ArrayRef<Value> operands) {
  unsigned kinds = 0;
  for (Value operand : operands)
    if (auto tensor = dyn_cast<TensorType>(operand.getType()); tensor && tensor.hasDtype())
      kinds |= kindOf(tensor.getDtype());
  return kinds & (unsigneds | eighths);
}

/// Whether PyTorch finds a type that both have room in, if one is among the rare ones.
static bool canPromote(Type a, Type b) {
  unsigned kinds = kindOf(a) | kindOf(b);
  if (a == b || !(kinds & (unsigneds | eighths)))
    return true;
  return !(kinds & eighths) && (kinds & (bools | halves | brains | floats | complexes));
}

/// Two element types that PyTorch does not promote: of tensors with dimensions, or of ones without.
static std::optional<std::pair<Type, Type>> unlikeTypes(ArrayRef<Value> operands) {
  Type seen[2];
  for (Value operand : operands) {
    auto tensor = dyn_cast<TensorType>(operand.getType());
    if (!tensor || !tensor.hasRank() || !tensor.hasDtype())
      continue;
    Type &first = seen[tensor.getRank() == 0];
    if (first && !canPromote(first, tensor.getDtype()))
      return std::pair(first, tensor.getDtype());
    first = first ? first : tensor.getDtype();
  }
  return std::nullopt;
}

static LogicalResult checkRareKinds(Operation *op, unsigned rare, ArrayRef<Value> operands) {
  static const llvm::StringMap<unsigned> known = kindsByName(stored);
  if (!llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType, ListType>))
    return success();
  // Beside a float an integer is one before anything is computed.
  Type promoted = promotedType(operands, false);
  unsigned computed = promoted && categoryOf(promoted) > Category::Int ? rare & ~unsigneds : rare;
  if (unsigned missing = computed & ~kindsFor(op->getName(), known))
    return op->emitError("expected elements other than ")
           << describe(missing) << " in " << nameOf(op) << "; convert them first";
  StringRef name = nameOf(op).split("::").second.split('.').first;
  auto unlike = unlikeTypes(operands.drop_front(name == "where")); // its condition
  if (!unlike || !llvm::is_contained(promoting, name))
    return success();
  return op->emitError("expected elements of one type in ")
         << nameOf(op) << ", got " << shortName(*typeToDtype(unlike->first)) << " and "
         << shortName(*typeToDtype(unlike->second)) << ": convert one of them first";
}

LogicalResult checkElementKinds(Operation *op) {
  static const llvm::StringMap<unsigned> known = kindsByName(groups);
  if (!isa<AtenOpInterface>(op) || !isOnCpu(op))
    return success();
  SmallVector<Value> operands = operandsOf(op);
  if (unsigned rare = rareKindsOf(operands))
    return checkRareKinds(op, rare, operands);
  unsigned kinds = kindsFor(op->getName(), known);
  if (!kinds || hasDType(op))
    return success();
  auto first = llvm::find_if(operands, [](Value v) { return isa<TensorType>(v.getType()); });
  if (first == operands.end() || llvm::any_of(operands, isEmpty))
    return success();
  // Some operators take their operands as they are, some promote them: it is enough if one way
  // goes.
  Type own = cast<TensorType>(first->getType()).getDtype(),
       promoted = promotedType(operands, false);
  if (!own || !promoted || (kinds & (kindOf(own) | kindOf(promoted))))
    return success();
  return op->emitError("expected elements that are ")
         << describe(kinds) << " in " << nameOf(op) << ", got "
         << shortName(*typeToDtype(promoted));
}

} // namespace jit
