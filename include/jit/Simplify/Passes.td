//===- Passes.td - the Simplify stage ----------------------*- tablegen -*-===//
#ifndef JIT_SIMPLIFY_PASSES_TD
#define JIT_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

class SimplifyStagePass<string name> : Pass<name, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::jit::JitDialect", "::jit::aten::AtenDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def JitPeephole : SimplifyStagePass<"jit-peephole"> {
  let summary = "Operators that change nothing, or that two of can be one, disappear";
  let description = [{
    Only what gives the same bits: `x * 1` and `x - 0` are `x`, but `x + 0` of floats stays, since it makes a
    zero of -0; a division by a power of two is a product; of two transposes, views or conversions one is
    left, or none; a slice that was just written is what was written. A transpose of a product moves to its
    operands, where the product reads it in place. Questions to sizes that are known become constants. An
    operator over a sequence (lstm, gru, rnn) becomes a loop over its steps. Where no gradient is to come any more
    (`after-gradients`), what only stops one is its operand.

    *Needs:* the output of `jit-infer-types`.

    *Gives:* the same function in fewer operators.

    *Refuses:* nothing; an operator of unknown type is left alone.
  }];
  let options = [Option<"afterGradients", "after-gradients", "bool", "false", "Nothing is going to be differentiated">];
}

def JitHoistProducts : SimplifyStagePass<"jit-hoist-products"> {
  let summary = "Products that do not depend on what a loop carries leave it, as one";
  let description = [{
    What is the same in each trip is computed before the loop, reads of module state included, which no call
    changes. Not so tensors without operands, which the loop's writes would have to copy, and broadcasts.

    A product of a slice of a tensor that the loop walks over, `x[i] @ w`, becomes one product of the whole
    tensor before the loop, and the loop takes slices of that: the input projection of an LSTM. The same for
    `linear` and `addmm` with a bias of one row, along any dimension but the one that is summed over. It is
    done where the trips see at least half of the tensor, for products of at most `max-rows` rows (larger
    ones fill the machine as they are) and for results of at most `max-bytes`.

    *Needs:* the output of `jit-infer-types`, loops with a known number of trips.

    *Gives:* the same function; in loops the products that depend on carried values.

    *Refuses:* nothing; a loop of unknown bounds is left alone.
  }];
  let options = [
    Option<"maxRows", "max-rows", "int64_t", "1024", "Rows of one trip's product up to which it leaves the loop">,
    Option<"maxBytes", "max-bytes", "int64_t", "1 << 30", "Bytes of the one product's result at most">
  ];
}

def JitSinkSums : SimplifyStagePass<"jit-sink-sums"> {
  let summary = "Sums of products and of reductions that a loop carries are taken once, after it";
  let description = [{
    The gradient of a weight that a loop uses is a sum over the trips, `w += a[t].t() @ b[t]`: a small product
    and an addition to the whole of `w` in each trip. With the `a[t]` and the `b[t]` of all trips under each
    other it is one product, `a.t() @ b`. They mostly are there already: residuals that the loop reads slice by
    slice, a gradient that it writes slice by slice. What is not is stacked, where that writes less
    than the additions did, and at most `max-bytes`.

    The gradient of a bias, `s += sum(b[t])`, is one reduction of the stack; where there is none the loop
    carries the sum of the `b[t]` themselves, and one reduction follows it.

    A slice of a carried tensor that is read before this trip, the only one to do so, writes it is still the
    initial one; so a gradient that was summed into zeros is written without them.

    *Needs:* the output of `jit-infer-types`, loops with a known number of trips.

    *Gives:* the same function; floating sums are taken in another order.

    *Refuses:* nothing; a sum that is read in the loop, or whose factors are no transposed slices, stays.
  }];
  let options = [Option<"maxBytes", "max-bytes", "int64_t", "1 << 30", "Bytes of new stacks of one sum at most">];
}

def JitUnrollLoops : SimplifyStagePass<"jit-unroll-loops"> {
  let summary = "Loops of few trips become straight code, others take several trips at once";
  let description = [{
    A loop of at most `full-limit` trips, and of at most `max-operations` operators altogether, is written out. Any
    other loop with a body within that limit takes `factor` trips at once, and an epilogue takes the rest. Innermost loops
    first. A factor of 1 leaves those loops as they are. With `pointwise-only` only loops all of whose operators
    are pointwise are unrolled: their trips become one pass over the elements.

    *Needs:* loops with a known number of trips.

    *Gives:* the same function.

    *Refuses:* nothing; a loop of unknown bounds is left alone.
  }];
  let options = [
    Option<"fullLimit", "full-limit", "int64_t", "8", "Trips up to which a loop is written out">,
    Option<"factor", "factor", "int64_t", "8", "Trips that a longer loop takes at once">,
    Option<"maxOperations", "max-operations", "int64_t", "256", "Operators after unrolling at most">,
    Option<"pointwiseOnly", "pointwise-only", "bool", "false", "Only loops of pointwise operators">
  ];
}

def JitBatchProducts : SimplifyStagePass<"jit-batch-products"> {
  let summary = "Small products that share an operand, or that are added up, become one";
  let description = [{
    Products of one block that share their left operand are one product of it with the others side by side,
    and slices of the result; those that share the right one are stacked likewise. It pays where one product
    alone does not fill the vector units and each does long sums: of at most `max-columns` columns (rows), over at
    least `min-depth` summands, and with at least `min-rows` rows (columns) to pay for laying the others side by
    side. Larger products are as fast alone, and their results stay contiguous.

    A tree of additions over at least `min-summands` products of the same sizes is one product of the operands
    side by side, where copying the operands moves fewer bytes than the additions do.

    *Needs:* the output of `jit-infer-types`.

    *Gives:* the same function; floating sums are taken in another order.

    *Refuses:* nothing.
  }];
  let options = [
    Option<"maxColumns", "max-columns", "int64_t", "16", "Columns of one product up to which it is batched">,
    Option<"minDepth", "min-depth", "int64_t", "256", "Summands of one element of a product from which it is batched">,
    Option<"minRows", "min-rows", "int64_t", "64", "Rows that the products share at least">,
    Option<"minSummands", "min-summands", "int64_t", "4", "Products in a sum from which it is one product">
  ];
}

#endif // JIT_SIMPLIFY_PASSES_TD
