//===- Factor.td - matrices as products of simpler ones, and what that solves -*- tablegen -*-===//
//
// Loops over rows and columns, of the operators of other families: batches go along, and gradients go through them.
//
//===----------------------------------------------------------------------===//
include "jit/Dialect/Aten/AtenBase.td"

defvar off = Default<Bool, "False">;
defvar on = Default<Bool, "True">;

class Solving<string name, string overload, dag args, string body, dag outs_ = (outs Tensor:$result), bit named = 0>
    : Aten_Composite<name, overload, args, "return " # body # ";", outs_> {
  let namedResults = named;
  let unusualStrides = 1;
}

/// Whole until they are lowered: what flows back goes by a rule, not through the loops.
class Factoring<string name, dag args, string types, string body, dag outs_, list<Grad> rules> : Aten_Op<name, "", args, outs_> {
  let type = types;
  let decompose = "return " # body # ";";
  let grads = rules;
  let unusualStrides = 1;
  let namedResults = !ne(!size(outs_), 1);
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

def Aten_LinalgSolveTriangularOp : Solving<"linalg_solve_triangular", "",
    (ins Tensor:$self, Tensor:$B, Kw<Bool>:$upper, Kw<on>:$left, Kw<off>:$unitriangular),
    "triangularSolution(self, B, {upper, left, unitriangular})">;
def Aten_TriangularSolveOp : Solving<"triangular_solve", "",
    (ins Tensor:$self, Tensor:$A, on:$upper, off:$transpose, off:$unitriangular),
    "oldTriangularSolution(self, A, upper, transpose, unitriangular)",
    (outs Tensor:$solution, Tensor:$cloned_coefficient), 1>;

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

def Aten_LinalgCholeskyExOp : Factoring<"linalg_cholesky_ex", (ins Tensor:$self, Kw<off>:$upper, Kw<off>:$check_errors),
    "Type(self), infoOf(infer, self)", "choleskyWithInfo(self, upper)", (outs Tensor:$L, Tensor:$info),
    [Grad<"self", "choleskyGrad(L, upper, grad)">]>;
def Aten_LinalgCholeskyOp : Solving<"linalg_cholesky", "", (ins Tensor:$self, Kw<off>:$upper), "cholesky(self, upper)">;
def Aten_CholeskyOp : Solving<"cholesky", "", (ins Tensor:$self, off:$upper), "cholesky(self, upper)">;
// Gradients are of the whole matrix, as PyTorch's are, though one half of it is read.
def Aten_CholeskySolveOp : Factoring<"cholesky_solve", (ins Tensor:$self, Tensor:$input2, off:$upper),
    "solutionOf(infer, self, input2)", "choleskySolution(self, input2, upper)", (outs Tensor:$result), [
      Grad<"self", "choleskySolution(grad, input2, upper)">,
      Grad<"input2", "choleskySolutionGrad(input2, result, upper, grad)">]>;
def Aten_CholeskyInverseOp : Factoring<"cholesky_inverse", (ins Tensor:$self, off:$upper), "Type(self)",
    "choleskyInverse(self, upper)", (outs Tensor:$result), [Grad<"self", "choleskyInverseGrad(self, result, upper, grad)">]>;

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

defvar luAndInfo = (outs Tensor:$LU, Tensor:$pivots, Tensor:$info);
defvar plu = (outs Tensor:$P, Tensor:$L, Tensor:$U);
def Aten_LinalgLuFactorExOp : Solving<"linalg_lu_factor_ex", "", (ins Tensor:$A, Kw<on>:$pivot, Kw<off>:$check_errors),
    "luFactors(A, pivot, 3)", luAndInfo, 1>;
def Aten_LuWithInfoOp : Solving<"_lu_with_info", "", (ins Tensor:$self, on:$pivot, on:$check_errors),
    "luFactors(self, pivot, 3)", luAndInfo, 1>;
def Aten_LinalgLuFactorOp : Solving<"linalg_lu_factor", "", (ins Tensor:$A, Kw<on>:$pivot), "luFactors(A, pivot, 2)",
    (outs Tensor:$LU, Tensor:$pivots), 1>;
def Aten_LinalgLuOp : Solving<"linalg_lu", "", (ins Tensor:$A, Kw<on>:$pivot), "luMatrices(A, pivot)", plu, 1>;
def Aten_LuUnpackOp : Solving<"lu_unpack", "", (ins Tensor:$LU_data, Tensor:$LU_pivots, on:$unpack_data, on:$unpack_pivots),
    "luUnpacked(LU_data, LU_pivots, unpack_data, unpack_pivots)", plu, 1>;
def Aten_LinalgLuSolveOp : Solving<"linalg_lu_solve", "",
    (ins Tensor:$LU, Tensor:$pivots, Tensor:$B, Kw<on>:$left, Kw<off>:$adjoint), "luSolution(LU, pivots, B, left, adjoint)">;
def Aten_LuSolveOp : Solving<"lu_solve", "", (ins Tensor:$self, Tensor:$LU_data, Tensor:$LU_pivots),
    "luSolution(LU_data, LU_pivots, self, build.flag(true), build.flag(false))">;

def Aten_LinalgSolveOp : Solving<"linalg_solve", "", (ins Tensor:$A, Tensor:$B, Kw<on>:$left), "solution(A, B, left, 1)">;
def Aten_LinalgSolveExOp : Solving<"linalg_solve_ex", "", (ins Tensor:$A, Tensor:$B, Kw<on>:$left, Kw<off>:$check_errors),
    "solution(A, B, left, 2)", (outs Tensor:$result, Tensor:$info), 1>;
def Aten_RawLinalgSolveExOp : Solving<"_linalg_solve_ex", "", (ins Tensor:$A, Tensor:$B, Kw<on>:$left, Kw<off>:$check_errors),
    "solution(A, B, left, 4)", (outs Tensor:$result, Tensor:$LU, Tensor:$pivots, Tensor:$info), 1>;
def Aten_LinalgInvOp : Solving<"linalg_inv", "", (ins Tensor:$A), "inverse(A, 1)">;
def Aten_InverseOp : Solving<"inverse", "", (ins Tensor:$self), "inverse(self, 1)">;
def Aten_LinalgInvExOp : Solving<"linalg_inv_ex", "", (ins Tensor:$A, Kw<off>:$check_errors), "inverse(A, 2)",
    (outs Tensor:$inverse, Tensor:$info), 1>;
def Aten_LinalgTensorinvOp : Solving<"linalg_tensorinv", "", (ins Tensor:$self, Default<Int, "2">:$ind), "tensorInverse(self, ind)">;
def Aten_LinalgTensorsolveOp : Solving<"linalg_tensorsolve", "",
    (ins Tensor:$self, Tensor:$other, Default<OptIntList, "None">:$dims), "tensorSolution(self, other, dims)">;

def Aten_LinalgDetOp : Factoring<"linalg_det", (ins Tensor:$A), "ofEachMatrix(infer, A)", "determinant(A)", (outs Tensor:$result),
    [Grad<"A", "determinantGrad(A, result, grad)">]>;
def Aten_DetOp : Factoring<"det", (ins Tensor:$self), "ofEachMatrix(infer, self)", "determinant(self)", (outs Tensor:$result),
    [Grad<"self", "determinantGrad(self, result, grad)">]>;
defvar signAndLog = (outs Tensor:$sign, Tensor:$logabsdet);
def Aten_LinalgSlogdetOp : Solving<"linalg_slogdet", "", (ins Tensor:$A), "logDeterminant(A)", signAndLog, 1>;
def Aten_SlogdetOp : Solving<"slogdet", "", (ins Tensor:$self), "logDeterminant(self)", signAndLog, 1>;
def Aten_LogdetOp : Aten_Composite<"logdet", "", (ins Tensor:$self), [{
  Decomposition both = logDeterminant(self);
  if (::llvm::failed(both.values)) return both;
  return log(Tensor(build, (*both.values)[0])) + Tensor(build, (*both.values)[1]);
}]>;

//===----------------------------------------------------------------------===//
// LDL
//===----------------------------------------------------------------------===//

// Of real numbers hermitian matrices are symmetric ones.
def Aten_LinalgLdlFactorExOp : Solving<"linalg_ldl_factor_ex", "",
    (ins Tensor:$self, Kw<off>:$hermitian, Kw<off>:$check_errors), "ldlFactors(self, 3)",
    (outs Tensor:$LD, Tensor:$pivots, Tensor:$info), 1>;
def Aten_LinalgLdlFactorOp : Solving<"linalg_ldl_factor", "", (ins Tensor:$self, Kw<off>:$hermitian), "ldlFactors(self, 2)",
    (outs Tensor:$LD, Tensor:$pivots), 1>;
def Aten_LinalgLdlSolveOp : Solving<"linalg_ldl_solve", "", (ins Tensor:$LD, Tensor:$pivots, Tensor:$B, Kw<off>:$hermitian),
    "ldlSolution(LD, pivots, B)">;

//===----------------------------------------------------------------------===//
// QR
//===----------------------------------------------------------------------===//

defvar qAndR = (outs Tensor:$Q, Tensor:$R);
def Aten_GeqrfOp : Solving<"geqrf", "", (ins Tensor:$self), "reflections(self)", (outs Tensor:$a, Tensor:$tau), 1>;
def Aten_LinalgHouseholderProductOp : Solving<"linalg_householder_product", "", (ins Tensor:$input, Tensor:$tau),
    "productOfReflections(input, tau)">;
def Aten_OrgqrOp : Solving<"orgqr", "", (ins Tensor:$self, Tensor:$input2), "productOfReflections(self, input2)">;
def Aten_OrmqrOp : Solving<"ormqr", "", (ins Tensor:$self, Tensor:$input2, Tensor:$input3, on:$left, off:$transpose),
    "reflected(self, input2, input3, left, transpose)">;
def Aten_LinalgQrOp : Solving<"linalg_qr", "", (ins Tensor:$A, Default<Str, "\"reduced\"">:$mode), "qr(A, mode)", qAndR, 1>;
def Aten_QrOp : Aten_Composite<"qr", "", (ins Tensor:$self, on:$some), [{
  if (!some.known()) return build.notYet("the value of some");
  return qr(self, build.str(*some.known() ? "reduced" : "complete"));
}], qAndR> { let namedResults = 1; }

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

def Aten_MatrixExpOp : Solving<"matrix_exp", "", (ins Tensor:$self), "matrixExponential(self)"> { let aliases = ["linalg_matrix_exp"]; }

//===----------------------------------------------------------------------===//
// Eigenvalues of symmetric matrices, and singular values
//===----------------------------------------------------------------------===//

defvar lowerHalf = Default<Str, "\"L\"">;
def Aten_LinalgEighOp : Factoring<"linalg_eigh", (ins Tensor:$self, lowerHalf:$UPLO), "valuesOf(infer, self), Type(self)",
    "symmetricSpectrum(self, UPLO, 2)", (outs Tensor:$eigenvalues, Tensor:$eigenvectors),
    // The signs of eigenvectors are open: gradients are right of what does not depend on them.
    [Grad<"self", "spectrumGrad(eigenvalues, eigenvectors, grad_eigenvalues, grad_eigenvectors)">]>;
def Aten_RawLinalgEighOp : Aten_Composite<"_linalg_eigh", "", (ins Tensor:$A, lowerHalf:$UPLO, on:$compute_v),
    "return bothOf(build.multi<LinalgEighOp>(A, UPLO), build);", (outs Tensor:$eigenvalues, Tensor:$eigenvectors)> {
  let namedResults = 1;
}
def Aten_LinalgEigvalshOp : Factoring<"linalg_eigvalsh", (ins Tensor:$self, lowerHalf:$UPLO), "valuesOf(infer, self)",
    "symmetricSpectrum(self, UPLO, 1)", (outs Tensor:$result), [Grad<"self", "eigenvaluesGrad(self, UPLO, grad)">]>;

// Of any square matrix. Complex tensors are split before matrices are taken apart: by parts inside.
defvar matrixParts = (ins Tensor:$re, Tensor:$im);
class SpectrumGradOf<string which> : Grad<!if(!eq(which, "true"), "im", "re"),
    "spectrumPartsGrad({valuesRe, valuesIm, vectorsRe, vectorsIm, grad_valuesRe, grad_valuesIm, grad_vectorsRe, grad_vectorsIm}, "
    # which # ")">;
def Aten_EigenPartsOp : Factoring<"_eigen_parts", matrixParts, "valuesOf(infer, re), valuesOf(infer, re), Type(re), Type(re)",
    "spectrumParts(re, im, 4)", (outs Tensor:$valuesRe, Tensor:$valuesIm, Tensor:$vectorsRe, Tensor:$vectorsIm),
    [SpectrumGradOf<"false">, SpectrumGradOf<"true">]> {
  let summary = "Eigenvalues and eigenvectors of any square matrix by real and imaginary parts";
}
def Aten_EigenvaluePartsOp : Factoring<"_eigenvalue_parts", matrixParts, "valuesOf(infer, re), valuesOf(infer, re)",
    "spectrumParts(re, im, 2)", (outs Tensor:$valuesRe, Tensor:$valuesIm),
    [Grad<"re", "spectrumValuesGrad(re, im, grad_valuesRe, grad_valuesIm, false)">,
     Grad<"im", "spectrumValuesGrad(re, im, grad_valuesRe, grad_valuesIm, true)">]> {
  let summary = "Eigenvalues of any square matrix by real and imaginary parts";
}
def Aten_LinalgEigOp : Solving<"linalg_eig", "", (ins Tensor:$self), "spectrum(self, 2)",
    (outs Tensor:$eigenvalues, Tensor:$eigenvectors), 1>;
def Aten_LinalgEigvalsOp : Solving<"linalg_eigvals", "", (ins Tensor:$self), "spectrum(self, 1)"> {
  let aliases = ["_linalg_eigvals"];
}

defvar driver = Kw<Default<OptStr, "None">>;
def Aten_LinalgSvdvalsOp : Factoring<"linalg_svdvals", (ins Tensor:$A, driver:$driver), "valuesOf(infer, A)",
    "singularValues(A)", (outs Tensor:$result), [Grad<"A", "singularValuesGrad(A, grad)">]>;
def Aten_LinalgSvdOp : Aten_Composite<"linalg_svd", "", (ins Tensor:$A, on:$full_matrices, driver:$driver),
    "return singularVectors(A, full_matrices, false);", (outs Tensor:$U, Tensor:$S, Tensor:$Vh)> { let namedResults = 1; }
def Aten_RawLinalgSvdOp : Aten_Composite<"_linalg_svd", "", (ins Tensor:$A, off:$full_matrices, on:$compute_uv, driver:$driver), [{
  if (compute_uv.known() != true) return build.notYet("True as compute_uv");
  return singularVectors(A, full_matrices, false);
}], (outs Tensor:$U, Tensor:$S, Tensor:$Vh)> { let namedResults = 1; }
def Aten_SvdOp : Aten_Composite<"svd", "", (ins Tensor:$self, on:$some, on:$compute_uv), [{
  if (!some.known() || compute_uv.known() != true) return build.notYet("the value of some, and True as compute_uv");
  return singularVectors(self, build.flag(!*some.known()), true);
}], (outs Tensor:$U, Tensor:$S, Tensor:$V)> { let namedResults = 1; }

//===----------------------------------------------------------------------===//
// By the singular values
//===----------------------------------------------------------------------===//

defvar tolerances = (ins Kw<Default<OptFloat, "None">>:$atol, Kw<Default<OptFloat, "None">>:$rtol, Kw<off>:$hermitian);
class Pinv<string name, string overload, dag args, string bounds> : Aten_Op<name, overload, args> {
  let type = "turnedSizes(infer, self)";
  let decompose = "return pseudoInverse(self, " # bounds # ");";
  let grads = [Grad<"self", "pseudoInverseGrad(self, result, grad)">];
}
def Aten_LinalgPinvOp : Pinv<"linalg_pinv", "", (ins Tensor:$self, Float:$rcond, off:$hermitian), "hermitian, build.f(0), rcond">;
def Aten_LinalgPinvAtolRtolFloatOp : Pinv<"linalg_pinv", "atol_rtol_float", !con((ins Tensor:$self), tolerances),
    "hermitian, atol, rtol">;
def Aten_PinverseOp : Pinv<"pinverse", "", (ins Tensor:$self, Default<Float, "1.0000000000000001e-15">:$rcond),
    "build.flag(false), build.f(0), rcond">;
def Aten_LinalgLstsqOp : Solving<"linalg_lstsq", "",
    (ins Tensor:$self, Tensor:$b, Default<OptFloat, "None">:$rcond, driver:$driver), "leastSquares(self, b, rcond, driver)",
    (outs Tensor:$solution, Tensor:$residuals, Tensor:$rank, Tensor:$singular_values), 1>;
def Aten_LinalgMatrixRankOp : Solving<"linalg_matrix_rank", "", (ins Tensor:$self, Float:$tol, off:$hermitian),
    "matrixRank(self, hermitian, tol, build.f(0))">;
def Aten_LinalgMatrixRankAtolRtolFloatOp : Solving<"linalg_matrix_rank", "atol_rtol_float", !con((ins Tensor:$self), tolerances),
    "matrixRank(self, hermitian, atol, rtol)">;
defvar tensorTolerances = (ins Kw<Default<OptTensor, "None">>:$atol, Kw<Default<OptTensor, "None">>:$rtol, Kw<off>:$hermitian);
def Aten_LinalgPinvAtolRtolTensorOp : Pinv<"linalg_pinv", "atol_rtol_tensor", !con((ins Tensor:$self), tensorTolerances),
    "hermitian, atol, rtol">;
def Aten_LinalgPinvRcondTensorOp : Pinv<"linalg_pinv", "rcond_tensor", (ins Tensor:$self, Tensor:$rcond, off:$hermitian),
    "hermitian, build.f(0), rcond">;
def Aten_LinalgMatrixRankAtolRtolTensorOp : Solving<"linalg_matrix_rank", "atol_rtol_tensor",
    !con((ins Tensor:$input), tensorTolerances), "matrixRank(input, hermitian, atol, rtol)">;
def Aten_LinalgMatrixRankTolTensorOp : Solving<"linalg_matrix_rank", "tol_tensor",
    (ins Tensor:$input, Tensor:$tol, off:$hermitian), "matrixRank(input, hermitian, tol, build.f(0))">;
class Condition<string overload, AtenArg p_> : Solving<"linalg_cond", overload, (ins Tensor:$self, p_:$p), "conditionNumber(self, p)">;
def Aten_LinalgCondOp : Condition<"", Default<OptScalar, "None">>;
def Aten_LinalgCondStrOp : Condition<"p_str", Str>;
