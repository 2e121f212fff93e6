//===- MemplanBase.td - Dialect, types, base of all ops ----*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BASE_TD
#define MEMPLAN_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "memplan/Dialect/Memplan/IR/MemplanInterfaces.td"

def Memplan_Dialect : Dialect {
  let name = "memplan";
  let cppNamespace = "::mlir::memplan";
  let summary = "Training steps whose memory is planned before they run";
  let description = [{
    Operations of a training step: forward, explicit backward, losses and optimizer updates.

    Every operation has two forms. The *tensor form* takes and gives tensors and has no effect on memory. The *memref form* is what planning leaves: it reads
    its `ins`, writes its `outs`, and uses `workspace` as scratch.

    ```mlir
    %y = memplan.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    memplan.relu ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>) workspace(%w : memref<1024xi8>)
    ```

    Shapes are static, data is row-major, images are NCHW. Data is dense, but for operands of the memref form that `getStridedDims()` of the operation
    allows to lie in rows: a piece of a larger value, one row for each sample. The attribute `run` numbers the runs of a recomputed operation, so that two runs never count as
    the same operation. Where an attribute is a list of integers, the operation's own syntax writes `[1, 2]` for `array<i64: 1, 2>`.

    A plan with copies to the host or with several streams says so by `memplan.evict`, `memplan.fetch`, `memplan.record` and `memplan.wait`, and by the attribute `memplan.stream` of
    what runs. All of these are issued in the order in which they stand; what one stream is given runs one after the other.
  }];
  let dependentDialects = [];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributesAndTypes();
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  // What each of them means, where it may stand and what it may hold is the table of Markers.cpp. Any other attribute of this
  // dialect is an error.
  let discardableAttrs = (ins
    // On arguments and results of functions.
    "::mlir::StringAttr":$kind, "::mlir::StringAttr":$name, "::mlir::IntegerAttr":$batch, "::mlir::StringAttr":$init,
    "::mlir::IntegerAttr":$high, "::mlir::UnitAttr":$donated, "::mlir::IntegerAttr":$updates, "::mlir::UnitAttr":$arena,
    "::mlir::IntegerAttr":$alignment, "::mlir::IntegerAttr":$arena_offset, "::mlir::IntegerAttr":$host_offset,
    // On functions.
    "::mlir::DictionaryAttr":$optimizer, "::mlir::IntegerAttr":$fixed_bytes, "::mlir::UnitAttr":$planned,
    "::mlir::IntegerAttr":$arena_bytes, "::mlir::IntegerAttr":$peak_bytes, "::mlir::IntegerAttr":$budget,
    "::mlir::DenseI64ArrayAttr":$value_hash, "::mlir::DictionaryAttr":$plan, "::mlir::IntegerAttr":$storage_bytes,
    "::mlir::IntegerAttr":$live_peak_bytes,
    "::mlir::FloatAttr":$time,
    // On functions and operations.
    "::mlir::FloatAttr":$cost,
    // On operations.
    "::mlir::UnitAttr":$backward, "::mlir::IntegerAttr":$node, "::mlir::ArrayAttr":$variants, "::mlir::ArrayAttr":$in_place,
    "::mlir::DenseI64ArrayAttr":$storage, "::mlir::DenseI64ArrayAttr":$offset, "::mlir::IntegerAttr":$run, "::mlir::IntegerAttr":$workspace_offset,
    "::mlir::IntegerAttr":$live_bytes, "::mlir::UnitAttr":$peak, "::mlir::UnitAttr":$parts, "::mlir::DenseI64ArrayAttr":$part_offset,
    "::mlir::IntegerAttr":$stream);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Memplan_DenseOf<string predicate, string what>
    : Type<CPred<"::mlir::memplan::ops::isInRows($_self, " # predicate # ")">,
           "statically shaped dense " # what # " tensor or memref with dimensions of at least 1">;

/// What arithmetic works on.
def Memplan_Float : Memplan_DenseOf<"::mlir::memplan::ops::isRealType", "f32, bf16 or f16">;
/// Labels, ids, seeds and counters.
def Memplan_Int64 : Memplan_DenseOf<"[](::mlir::Type t) { return t.isInteger(64); }", "i64">;
/// Positions inside a pooling window.
def Memplan_Int8 : Memplan_DenseOf<"[](::mlir::Type t) { return t.isInteger(8); }", "i8">;
/// What data movement works on.
def Memplan_Any : Memplan_DenseOf<"::mlir::memplan::ops::hasByteSize", "">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Memplan_I64 : TypedSignlessIntegerAttrBase<I64, "int64_t", "64-bit signless integer attribute"> {
  let constBuilderCall = "$_builder.getI64IntegerAttr($0)";
}
def Memplan_F64 : FloatAttrBase<F64, "64-bit float attribute"> {
  let returnType = "double";
  let convertFromStorage = "$_self.getValueAsDouble()";
  let constBuilderCall = "$_builder.getF64FloatAttr($0)";
}
def Memplan_Elements : ElementsAttrBase<CPred<"::llvm::isa<::mlir::ElementsAttr>($_self)">, "constant tensor attribute"> {
  let constBuilderCall = "$0";
}
def Memplan_RealName : ConfinedAttr<StrAttr,
    [AttrConstraint<CPred<"::mlir::memplan::ops::realTypeOf($_self.getContext(), ::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
                    "is \"f32\", \"bf16\" or \"f16\"">]>;
class Memplan_I64Default<string value> : DefaultValuedAttr<Memplan_I64, value>;
class Memplan_F64Default<string value> : DefaultValuedAttr<Memplan_F64, value>;

/// A list of integers, and a pair (height, width).
defvar Memplan_List = DenseI64ArrayAttr;
class Memplan_Pair<string value> : DefaultValuedAttr<DenseI64ArrayAttr, "{" # value # "}">;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Verifies what all operations share: one form, the workspace, outputs as the shape function gives them.
def Memplan_OpTrait : NativeOpTrait<"MemplanOp"> {
  let cppNamespace = "::mlir::memplan";
}

/// Operations whose gradient is built by `GradientOpInterface`; the definitions are in Gradients*.cpp.
defvar Memplan_DifferentiableOps = [
  "conv2d", "conv_transpose2d", "max_pool2d", "avg_pool2d", "adaptive_avg_pool2d", "matmul", "attention",
  "attention_dropout", "embedding",
  "topk", "gather", "scatter", "cumsum",
  "relu", "clamp", "sigmoid", "tanh", "softmax", "gelu", "silu", "add", "sub", "mul", "div", "accumulate",
  "cast", "scale", "causal_mask", "dropout", "batch_norm", "layer_norm", "cross_entropy", "bce_with_logits",
  "mse_loss", "map", "reshape", "transpose", "split", "concat", "slice", "reduce_sum", "reduce_mean", "broadcast"
];

/// The trait of a differentiable operation, or nothing.
class Memplan_GradientTraits<string mnemonic> {
  list<Trait> traits = !if(!empty(!filter(name, Memplan_DifferentiableOps, !eq(name, mnemonic))), []<Trait>,
                           [DeclareOpInterfaceMethods<GradientOpInterface>]);
}

class Memplan_Names<list<string> names> {
  string literals = !interleave(!foreach(name, names, "\"" # name # "\""), ", ");
}

class Memplan_CppType<Attr attribute> {
  string type = attribute.returnType;
}

/// C++ that stores the builder's argument `name` as the property of that name.
class Memplan_StoreProperty<Attr attribute, string name> {
  string text = "properties." # name # " = " # !subst("$0", name, attribute.constBuilderCall) # "; ";
}

/// The base of all operations. `inputDag` are the named inputs (optional ones last), `attributeDag` the attributes that an
/// operation adds. The fields below it are C++ expressions, so that what planning needs stands beside the operation.
class Memplan_OpBase<string mnemonic, dag inputDag, dag attributeDag, list<string> outputNameList, list<Trait> traits>
    : Op<Memplan_Dialect, mnemonic,
         !listconcat([AttrSizedOperandSegments, Memplan_OpTrait, MemoryEffectsOpInterface, PlannableOpInterface],
                      Memplan_GradientTraits<mnemonic>.traits, traits)> {
  /// Pairs `{output, input}` where the output may overwrite the input if their types agree.
  string inPlace = "";
  /// The operands that output `index` may overwrite, over `*this` and `index`.
  string inPlaceOperands = "::mlir::memplan::ops::inPlaceOperands(*this, getInfo().inPlace, index)";
  /// Pairs `{output, input}` where the operation overwrites the input and the output is its new version.
  string writes = "";
  /// The operand that output `index` is a new version of, over `*this` and `index`.
  string writtenOperand = "::mlir::memplan::ops::writtenOperand(getInfo(), index)";
  /// Floating point operations of one run, over `*this`.
  string flops = "::mlir::memplan::ops::outputElements(*this)";
  /// Bytes moved by one run, over `*this`.
  string bytesMoved = "::mlir::memplan::ops::operandBytes(*this)";
  /// Where output `index` of the tensor form already lies, over `*this` and `index`.
  string viewSource = "::std::nullopt";
  /// Where input `index` ends up unchanged in output 0, over `*this` and `index`.
  string piecePlace = "::std::nullopt";
  /// Which bytes of input 0 output `index` has unchanged, over `*this` and `index`.
  string slicePlace = "::std::nullopt";
  /// How many of the first dimensions of operand `index` (inputs, then outputs) may count rows with gaps between them, over
  /// `*this` and `index`.
  string stridedDims = "0";
  /// A letter for each input, the last for all further ones: T for the element type of the operation, which is one for all of them; P for parameters beside it,
  /// which are all T or all f32; f for f32, r for any real type. Inputs of integers count for nothing.
  string elementTypes = "T";
  /// Whether recomputation is legal, over `*this`.
  string recompute = "true";
  /// The name of the kernel, over `*this`.
  string kernelName = "getOperationName()";
  /// Whether the operation may have effects that are not known, over `*this`.
  string unknownEffects = "false";
  /// Attributes that may be missing, which builders do not ask for.
  dag settings = (ins);

  int numInputs = !size(inputDag);
  int numOptional = !foldl(0, !range(numInputs), n, i, !if(!isa<Optional>(!getdagarg<TypeConstraint>(inputDag, i)), !add(n, 1), n));
  int numVariadic = !foldl(0, !range(numInputs), n, i, !if(!isa<Variadic>(!getdagarg<TypeConstraint>(inputDag, i)), !add(n, 1), n));
  list<string> inputNames = !foreach(i, !range(numInputs), !getdagname(inputDag, i));
  list<string> inputTypes = !foreach(i, !range(numInputs),
    !if(!isa<Variadic>(!getdagarg<TypeConstraint>(inputDag, i)), "::mlir::ValueRange", "::mlir::Value"));
  list<string> attributeNames = !foreach(i, !range(!size(attributeDag)), !getdagname(attributeDag, i));
  list<string> attributeTypes = !foreach(i, !range(!size(attributeDag)), Memplan_CppType<!getdagarg<Attr>(attributeDag, i)>.type);
  list<string> outputNames = outputNameList;

  let arguments = !con(inputDag, attributeDag, settings,
    (ins Variadic<AnyMemRef>:$outs, Optional<AnyMemRef>:$workspace,
         Memplan_I64Default<"0">:$run, Memplan_I64Default<"0">:$workspace_bytes));
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasCustomAssemblyFormat = 1;
  // Each default builder is declared several times for each operation; one builder of the tensor form is all that is used.
  let skipDefaultBuilders = 1;

  string outputGetters = !foldl("", !range(!size(outputNameList)), text, i,
    text # "\n  ::mlir::Value get" # !toupper(!substr(outputNameList[i], 0, 1)) # !substr(outputNameList[i], 1)
         # "() { return getOutputAt(" # i # "); }");

  string commonDeclaration = outputGetters # [{
  /// Counts and names of inputs and outputs.
  static const ::mlir::memplan::OpInfo &getInfo();
  /// Calls the shape function of this operation on a form of any kind. `errors` gets what is wrong.
  static ::llvm::LogicalResult inferOutputTypes(const ::mlir::memplan::ShapeErrors &errors, ::mlir::Operation *op,
      ::llvm::SmallVectorImpl<::mlir::RankedTensorType> &outputs);
  unsigned getNumInputs();
  unsigned getNumOutputs();
  ::mlir::Value getOutputAt(unsigned index);
  bool isMemrefForm();
  ::llvm::SmallVector<unsigned> getInPlaceOperands(unsigned index);
  int64_t getFlops();
  int64_t getBytesMoved();
  bool isRecomputable();
  ::std::optional<unsigned> getWrittenOperand(unsigned index);
  ::std::optional<::mlir::memplan::ViewSource> getViewSource(unsigned index);
  ::std::optional<::mlir::memplan::PiecePlace> getPiecePlace(unsigned index);
  ::std::optional<::mlir::memplan::PiecePlace> getSlicePlace(unsigned index);
  unsigned getStridedDims(unsigned index);
  ::llvm::StringRef getKernelName();
  int64_t getRunIndex() { return getRun(); }
  bool hasMemrefForm() { return true; }
  ::mlir::Operation *createMemrefForm(::mlir::OpBuilder &builder, ::mlir::ValueRange inputs, ::mlir::ValueRange outs,
                                      ::mlir::Value workspace, int64_t run) {
    return ::mlir::memplan::ops::createMemrefForm(builder, *this, inputs, outs, workspace, run);
  }
  ::mlir::Operation *createRecomputation(::mlir::OpBuilder &builder, ::mlir::ValueRange inputs, int64_t run) {
    return ::mlir::memplan::ops::createRecomputation(builder, *this, inputs, run);
  }
  void getEffects(::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects);
}];

  string commonDefinition = [{
const ::mlir::memplan::OpInfo &$cppClass::getInfo() {
  static constexpr ::llvm::StringLiteral inputs[] = {}] # Memplan_Names<!listconcat(inputNames, [""])>.literals # "}" # [{;
  static constexpr ::llvm::StringLiteral outputs[] = {}] # Memplan_Names<!listconcat(outputNameList, [""])>.literals # "}" # [{;
  static const ::mlir::memplan::OpInfo info = {
      /*required=*/}] # !sub(!sub(numInputs, numOptional), numVariadic) # ", /*optional=*/" # numOptional # ", /*variadic=*/" # numVariadic # [{,
      ::llvm::ArrayRef(inputs).drop_back(), ::llvm::ArrayRef(outputs).drop_back(), {}] # inPlace # "}, {" # writes # "}, \"" # elementTypes # "\"" # [{};
  return info;
}
::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser, ::mlir::OperationState &result) {
  return ::mlir::memplan::ops::parseOp(parser, result, getInfo());
}
void $cppClass::print(::mlir::OpAsmPrinter &printer) { ::mlir::memplan::ops::printOp(printer, *this, getInfo()); }
unsigned $cppClass::getNumInputs() {
  return getNumOperands() - getOuts().size() - (getWorkspace() ? 1 : 0);
}
unsigned $cppClass::getNumOutputs() { return getOuts().empty() ? getNumResults() : getOuts().size(); }
::mlir::Value $cppClass::getOutputAt(unsigned index) {
  return getOuts().empty() ? ::mlir::Value(getOperation()->getResult(index)) : getOuts()[index];
}
bool $cppClass::isMemrefForm() { return !getOuts().empty(); }
::llvm::SmallVector<unsigned> $cppClass::getInPlaceOperands(unsigned index) {
  return }] # inPlaceOperands # [{;
}
int64_t $cppClass::getFlops() { return }] # flops # [{; }
int64_t $cppClass::getBytesMoved() { return }] # bytesMoved # [{; }
bool $cppClass::isRecomputable() { return }] # recompute # [{; }
::std::optional<unsigned> $cppClass::getWrittenOperand(unsigned index) {
  return }] # writtenOperand # [{;
}
::std::optional<::mlir::memplan::ViewSource> $cppClass::getViewSource(unsigned index) {
  if (isMemrefForm())
    return ::std::nullopt;
  return }] # viewSource # [{;
}
::std::optional<::mlir::memplan::PiecePlace> $cppClass::getPiecePlace(unsigned index) {
  return }] # piecePlace # [{;
}
::std::optional<::mlir::memplan::PiecePlace> $cppClass::getSlicePlace(unsigned index) {
  return }] # slicePlace # [{;
}
unsigned $cppClass::getStridedDims(unsigned index) {
  return }] # stridedDims # [{;
}
::llvm::StringRef $cppClass::getKernelName() { return }] # kernelName # [{; }
void $cppClass::getEffects(
    ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
  ::mlir::memplan::ops::addEffects(*this, }] # unknownEffects # [{, effects);
}
}];

  /// What a family adds to the class.
  string moreDeclaration = "";
  let extraClassDeclaration = commonDeclaration # moreDeclaration;
  let extraClassDefinition = commonDefinition;
}

/// An operation whose output types follow from its inputs and attributes through the one shape function `inferOutputs`.
class Memplan_Op<string mnemonic, dag inputDag, dag attributeDag, list<string> outputNameList, list<Trait> traits = []>
    : Memplan_OpBase<mnemonic, inputDag, attributeDag, outputNameList, !listconcat([InferTypeOpInterface], traits)> {
  list<string> attributeStores = !foreach(i, !range(!size(attributeDag)),
    Memplan_StoreProperty<!getdagarg<Attr>(attributeDag, i), !getdagname(attributeDag, i)>.text);
  let builders = [
    // The tensor form.
    OpBuilder<!con(!dag(ins, inputTypes, inputNames), !dag(ins, attributeTypes, attributeNames)),
      "::mlir::memplan::ops::addInputs($_state, {" # !interleave(inputNames, ", ")  # "});"
      # "auto &properties = $_state.getOrAddProperties<Properties>(); "
      # !interleave(attributeStores, "")
      # "::mlir::memplan::ops::segmentInputs(getInfo(), $_state.operands.size(), 0, 0, properties.operandSegmentSizes); "
      # "if (::mlir::failed(inferReturnTypes($_builder.getContext(), $_state.location, $_state.operands, {}, &properties, {}, $_state.types))) "
      # "::mlir::detail::reportFatalInferReturnTypesError($_state);">
  ];
  let extraClassDeclaration = commonDeclaration # [{
  /// The shape function: the types of the outputs in tensor form, from inputs of either form.
  static ::llvm::LogicalResult inferOutputs(const ::mlir::memplan::ShapeErrors &errors, Adaptor adaptor,
      ::llvm::SmallVectorImpl<::mlir::RankedTensorType> &outputs);
  static ::llvm::LogicalResult inferReturnTypes(::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
      ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties,
      ::mlir::RegionRange regions, ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes);
}] # moreDeclaration;
  string inferenceDefinition = [{
::llvm::LogicalResult $cppClass::inferOutputTypes(const ::mlir::memplan::ShapeErrors &errors, ::mlir::Operation *op,
    ::llvm::SmallVectorImpl<::mlir::RankedTensorType> &outputs) {
  return inferOutputs(errors, Adaptor(::llvm::cast<$cppClass>(op)), outputs);
}
::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
    ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties,
    ::mlir::RegionRange regions, ::llvm::SmallVectorImpl<::mlir::Type> &inferredReturnTypes) {
  Adaptor adaptor(operands, attributes, properties, regions);
  // The memref form has no results.
  if (!adaptor.getOuts().empty())
    return ::mlir::success();
  ::llvm::SmallVector<::mlir::RankedTensorType> outputs;
  if (::mlir::failed(inferOutputs(::mlir::memplan::ShapeErrors(location), adaptor, outputs)))
    return ::mlir::failure();
  ::llvm::append_range(inferredReturnTypes, outputs);
  return ::mlir::success();
}
}];
  let extraClassDefinition = commonDefinition # inferenceDefinition;
}

/// An operation on inputs of one type whose one output has that type too.
class Memplan_SameTypeOp<string mnemonic, dag inputDag, dag attributeDag, string outputName, list<Trait> traits = []>
    : Memplan_Op<mnemonic, inputDag, attributeDag, [outputName], traits> {
  /// What must hold besides, a `LogicalResult` over `errors` and `adaptor`.
  string moreInference = "::mlir::success()";
  let extraClassDefinition = commonDefinition # inferenceDefinition # [{
::llvm::LogicalResult $cppClass::inferOutputs(const ::mlir::memplan::ShapeErrors &errors, Adaptor adaptor,
    ::llvm::SmallVectorImpl<::mlir::RankedTensorType> &outputs) {
  if (::mlir::failed(::mlir::memplan::ops::inferSameType(errors, getInfo(), adaptor.getOperands(), outputs)))
    return ::mlir::failure();
  return }] # moreInference # [{;
}
}];
}

#endif // MEMPLAN_BASE_TD
