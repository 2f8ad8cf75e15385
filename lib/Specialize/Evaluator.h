//===- Evaluator.h - partial evaluation of one function ---------*- C++ -*-===//
//
// Specialisation runs a function as far as the arguments' spec determines it. Operations are
// visited in execution order; each is cloned onto its operands as they are now, its result types
// are inferred, and it is simplified until nothing more follows. A branch whose condition is then
// a constant is entered and the other never looked at; a loop is entered under the assumption
// that what it carries stays as it starts, which is weakened until it holds. Where the two ways of
// a branch on data settle a value differently, what follows the branch is evaluated in each.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_SPECIALIZE_EVALUATOR_H
#define JIT_LIB_SPECIALIZE_EVALUATOR_H

#include "StepRewriter.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <functional>

namespace jit {

class Evaluator {
public:
  /// With `raises` operands that do not go together are an exception of the call, not an error,
  /// also where every call gets to them.
  /// With `dataSqueeze` what follows a squeeze is evaluated in two ways where data tell whether it
  /// drops a dimension.
  /// With `keepsArgumentMemory` no argument may take sizes in place that its memory has no room
  /// for.
  Evaluator(mlir::MLIRContext *context, bool raises, bool dataSqueeze, bool keepsArgumentMemory);

  /// Whether some value in a block is one of two, and data tell of which: of two sizes, or of types
  /// that have less in common.
  enum class Open { No, Sizes, Types };

  /// What a block has come to.
  struct Evaluated {
    /// Nothing after it is reached.
    bool raises = false;
    /// Its terminator's operands, if it does not raise.
    llvm::SmallVector<mlir::Value> values = {};
    Open open = Open::No;
  };

  /// Where a block stands.
  enum class Place {
    Function, // what it gives may be made by jit.either
    Loop,
    Branch, // only data tell whether it is run, once or in each trip: what cannot be run raises
  };

  /// How the rest of a loop is kept as a loop.
  enum class Keep {
    Settled,  // with known types
    Possible, // types may be left open: Lower says what is wrong with them where it matters
    Must,     // so here, and errors are reported
  };

  /// Evaluates `block` at the builder's insertion point, whole: of its values only those that its
  /// terminator takes are seen outside. `map` takes old values to new ones.
  mlir::FailureOr<Evaluated> evaluate(mlir::Block &block, mlir::OpBuilder &b, mlir::IRMapping map,
                                      Place place);

  /// Whether a list of tensors may be packed (jit/Dialect/Aten/PackedLists.h), which copies them:
  /// none that is in a list is written in place.
  bool mayPackLists();

  /// Whether what was evaluated calls an operator that is not there, which was reported.
  bool isIncomplete = false;
  /// Such an operator to which only some calls get, if there is one: the last.
  MissingOp endsIncomplete = {};

  /// What an argument is in the end whose sizes changed in place: a view of its memory, or of
  /// memory of its own where that had no room.
  struct ChangedArgument {
    mlir::Value now = {};
    bool isOutgrown = false;
    bool operator==(const ChangedArgument &) const = default;
  };
  using ChangedArguments = llvm::MapVector<mlir::BlockArgument, ChangedArgument>;
  ChangedArguments changedArguments;
  /// What data choose that an argument is in the end: that, if `isSo` of the call.
  struct ChosenChange {
    mlir::BlockArgument argument;
    ChangedArgument change;
    mlir::Value isSo;
  };
  llvm::SmallVector<ChosenChange> chosenChanges;

  /// The writes, of the program before specialisation, to out= tensors of other sizes than the
  /// result, where data choose which tensor that is or whether it is written. An evaluation adds
  /// those that it finds; of those that are there at its beginning it knows that sizes change.
  using ResizedOuts = llvm::SmallPtrSet<mlir::Operation *, 4>;
  ResizedOuts resizedOuts;

private:
  /// What follows the code that was evaluated: it goes on; nothing, for an exception is raised; or
  /// nothing, for all that follows in the scope was evaluated with it.
  enum class Flow { Continues, Raises, Ended };
  /// Evaluates what follows a region in the block around it.
  using Rest = std::function<mlir::FailureOr<Flow>(mlir::OpBuilder &, mlir::IRMapping &)>;

  /// A block that is evaluated whole.
  struct Scope {
    mlir::Block &block;
    Place place;
    /// Where its evaluated code stands.
    mlir::Region *into;
    /// What follows the regions that are entered now, the innermost last.
    llvm::SmallVector<Rest> rest = {};
    /// Branches on the way to the code that is evaluated now, each with what follows it.
    unsigned splits = 0;
    /// Operations that follow such branches, added up.
    unsigned copied = 0;
    Open open = Open::No;
    /// With Flow::Ended.
    Evaluated ended = {};
  };

  /// The state of a for loop of which some trips are taken out.
  struct ForTrips {
    mlir::scf::ForOp op;
    mlir::Value lower, upper, step;
    llvm::SmallVector<mlir::Value> carried;
    std::optional<int64_t> trips;
    int64_t done = 0;
    bool unroll = false;

    void enter(mlir::IRMapping &map);
    void leave(mlir::OpBuilder &b, const mlir::IRMapping &map);
  };
  struct WhileTrips;

  mlir::FailureOr<Flow> evaluateFrom(mlir::Operation *op, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateRegion(mlir::Region &region, mlir::OpBuilder &b,
                                       mlir::IRMapping &map, Rest rest);
  mlir::FailureOr<Evaluated> finish(mlir::FailureOr<Flow> flow, mlir::OpBuilder &b,
                                    mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateOp(mlir::Operation &op, mlir::OpBuilder &b, mlir::IRMapping &map);
  bool evaluateMissing(MissingOp op, mlir::OpBuilder &b);
  mlir::FailureOr<Flow> evaluateOrRaise(mlir::Operation &op, mlir::OpBuilder &b,
                                        mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateBecome(BecomeOp op, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> become(mlir::Operation *op, mlir::Value tensor, mlir::Value other,
                               mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::LogicalResult noteChange(mlir::Operation *op, mlir::Value tensor, mlir::Value other,
                                 bool isOutgrown);
  /// What one of two ways has made of arguments.
  struct Changes {
    ChangedArguments always;
    llvm::SmallVector<ChosenChange> chosen;
  };
  llvm::SmallSetVector<mlir::BlockArgument, 4> changedIn(const Evaluated (&ways)[2],
                                                         const Changes (&changes)[2]) const;
  void joinChanges(mlir::scf::IfOp branch, Evaluated (&ways)[2], const Changes (&changes)[2],
                   llvm::SmallVectorImpl<ChosenChange> &joined);
  void noteJoined(llvm::ArrayRef<ChosenChange> joined, Evaluated &given);
  bool isOutOfScope(mlir::Value tensor) const;
  mlir::FailureOr<Flow> evaluateChange(mlir::Operation *op, mlir::OpBuilder &b,
                                       mlir::IRMapping &map);
  mlir::FailureOr<mlir::Value> changedContent(mlir::Operation *op, mlir::Value self,
                                              mlir::OpBuilder &b, const mlir::IRMapping &map);
  bool mayBeOrHold(mlir::Value value, mlir::Value container,
                   llvm::DenseMap<mlir::Value, bool> &known) const;
  /// Of the containers in `value` that were made after `since`, which stands in their block, it is
  /// not known from here on which they are: a branch gave them.
  void forgetIdentity(mlir::Value value, mlir::Operation *since);
  /// A copy of a list that was simplified to that list is another list all the same.
  void keepApart(mlir::Operation &op, llvm::MutableArrayRef<mlir::Value> results,
                 mlir::OpBuilder &b, const mlir::IRMapping &map) const;
  mlir::Value resizedOut(OverwriteOp op, mlir::OpBuilder &b, const mlir::IRMapping &map) const;
  bool movesMemory(OverwriteOp op, mlir::OpBuilder &b, mlir::IRMapping &map) const;
  bool growsMemory(mlir::Operation *op, mlir::Value tensor, TensorType type, mlir::OpBuilder &b,
                   mlir::IRMapping &map, llvm::function_ref<Tensor(GraphBuilder &)> larger) const;
  mlir::FailureOr<Flow> evaluateResize(BecomeOp op, mlir::OpBuilder &b, mlir::IRMapping &map);
  /// Of a tensor that becomes another one by set_, whether it may; false after an exception.
  mlir::FailureOr<bool> checkSet(BecomeOp op, mlir::OpBuilder &b, mlir::IRMapping &map);
  void noteResizedOut(OverwriteOp op, const mlir::IRMapping &map);
  bool resizesOuts(mlir::Operation *op) const;
  mlir::FailureOr<Flow> evaluateOut(OverwriteOp op, mlir::Value now, mlir::OpBuilder &b,
                                    mlir::IRMapping &map);
  void mapResults(mlir::Operation &op, llvm::SmallVector<mlir::Value> results,
                  mlir::Operation *begin, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateIf(mlir::scf::IfOp op, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateKnownIf(mlir::scf::IfOp op, bool condition, mlir::OpBuilder &b,
                                        mlir::IRMapping &map);
  bool maySplit(unsigned rest) const;
  /// Whether what follows `op` may be evaluated for each of two ranks that data choose.
  bool maySplitOn(mlir::Operation *op) const;
  bool branchesOnSizes(mlir::Operation *op, const mlir::IRMapping &map);
  bool packsInLoop(mlir::scf::IfOp op, mlir::Value thenValue, mlir::Value elseValue);
  bool shouldSplit(mlir::scf::IfOp op, const Evaluated (&ways)[2]);
  mlir::FailureOr<Flow> split(mlir::scf::IfOp op, mlir::OpBuilder &b, mlir::IRMapping &map);
  /// Evaluates what is left of the scope where a condition holds, and where it does not.
  using Way = llvm::function_ref<mlir::FailureOr<Flow>(bool, mlir::OpBuilder &, mlir::IRMapping &)>;
  /// Evaluates all that follows, from `op` on, in each of two ways that data choose.
  mlir::FailureOr<Flow> splitOn(mlir::Operation *op, mlir::Value condition, mlir::OpBuilder &b,
                                const mlir::IRMapping &map, Way evaluateWay);
  mlir::FailureOr<Evaluated> join(mlir::scf::IfOp branch, const Evaluated (&ways)[2],
                                  mlir::TypeRange declared, mlir::OpBuilder &b, Place place);
  mlir::FailureOr<Flow> evaluateFor(mlir::scf::ForOp op, mlir::OpBuilder &b, mlir::IRMapping &map);
  static Keep howToKeep(const ForTrips &loop);
  mlir::FailureOr<Flow> evaluateTrips(ForTrips loop, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateOpenTrips(ForTrips loop, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateNext(ForTrips loop, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> takeOut(ForTrips loop, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateWhile(mlir::scf::WhileOp op, mlir::OpBuilder &b,
                                      mlir::IRMapping &map);
  mlir::FailureOr<Flow> evaluateTrips(WhileTrips loop, mlir::OpBuilder &b, mlir::IRMapping &map);
  template <typename Trips>
  mlir::FailureOr<Flow> evaluateRest(Trips loop, int64_t taken, mlir::OpBuilder &b,
                                     mlir::IRMapping &map, std::vector<mlir::Diagnostic> &errors);
  mlir::FailureOr<Flow> evaluateNext(WhileTrips loop, mlir::OpBuilder &b, mlir::IRMapping &map);
  mlir::FailureOr<Flow> takeOut(WhileTrips loop, mlir::OpBuilder &b, mlir::IRMapping &map);

  /// Simplifies a new operation as far as it goes; gives what its results have become.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> simplify(mlir::Operation *op, mlir::OpBuilder &b);

  StepRewriter rewriter;
  const bool raises, dataSqueeze, keepsArgumentMemory;
  /// The innermost block that is evaluated whole.
  Scope *scope = nullptr;
  /// Operations that were evaluated behind branches that are followed by two ways.
  unsigned inWays = 0;
  /// Sizes of some tensor change in place.
  bool changesSizes = false;
  /// They do, or may where an out= tensor takes those of a result, so that it matters which values
  /// are one tensor.
  bool tellsTensorsApart = false;
  /// More of a tensor's memory may be shown than the tensor.
  bool showsRest = false;
  /// Lists or dicts change in place, so that it matters which values are one.
  bool changesContainers = false;
  /// Those of which it is not known which they are.
  llvm::DenseSet<mlir::Value> openContainers;
  /// The function, before specialisation; and whether its lists may be packed, once asked.
  mlir::Operation *source = nullptr;
  std::optional<bool> packsLists;
  /// Set by the type refinement pattern, which cannot fail the rewrite driver.
  bool inferenceFailed = false;
};

/// Whether something in `op` may show more of a tensor's memory than the tensor.
bool showsRest(mlir::Operation *op);

/// Whether `op`, which is specialised, writes to an out= tensor that would have to take other
/// sizes.
bool leavesOutSizes(mlir::Operation *op);

/// Whether lists or dicts change in place in `op`.
bool changesContainers(mlir::Operation *op);

/// Whether lists or dicts change in place in `op` that may be made outside of it.
bool changesOuterContainers(mlir::Operation *op);

/// Whether `name`, of the program before specialisation, may be used after `op`.
bool isUsedAfter(mlir::Value name, mlir::Operation *op);

/// The constant attribute of a value, or null.
mlir::Attribute constantOf(mlir::Value value);

/// The same value, or two equal constants.
bool isSameValue(mlir::Value a, mlir::Value b);

/// Fully known, so that code can be generated for it.
bool isSettled(mlir::Type type);

/// Known to be a tensor of this rank and element type.
bool hasKind(mlir::Type type);

/// A value that nothing reads: a break or a return leaves such ones behind, and their types say
/// nothing about what is there otherwise.
bool isPoison(mlir::Value value);

/// `value` under the wider type `type`, through jit.derefine where they differ. A poison
/// takes any type.
mlir::Value widen(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, mlir::Type type);

} // namespace jit

#endif // JIT_LIB_SPECIALIZE_EVALUATOR_H
