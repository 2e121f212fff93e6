"""Element types of operations: which operands agree, and what results have. The letters are those of Memplan_OpBase in MemplanBase.td."""

from __future__ import annotations

import torch

REAL = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}

# Operations that compute: a letter for each operand, the last for all further ones. T is the type of the operation, P the type of parameters, which
# is T or f32, f is f32. Operands of integers count for nothing.
_OPERANDS = {"attention": "TTTP", "attention_grad": "TTTTTfP", "batch_norm": "TPP", "batch_norm_grad": "TTPf", "batch_norm_update_stats": "TTf",
             "cross_entropy_grad": "TTfT", "layer_norm": "TPP", "layer_norm_grad": "TTPf"}
# The same of results; all others have one of type T, and statistics.
_RESULTS = {"attention_grad": "T", "batch_norm_grad": "TPP", "batch_norm_update_stats": "T", "layer_norm_grad": "TPP"}
# Operations whose operands may have any types, each as it comes.
ANY_TYPE = {"reshape", "transpose", "split", "slice", "concat", "constant", "iota", "opaque", "map", "cast"}


def _letter(letters: str, index: int) -> str:
    return letters[min(index, len(letters) - 1)]


def is_real(dtype: str) -> bool:
    return dtype in REAL


def _common(types: list[str]) -> str:
    """What operands of these types compute in, as torch promotes them."""
    return types[0] if len(set(types)) == 1 else "f32"


class Agreement:
    """The types of one operation: `operand(i)` is what operand i is cast to, `result(i, dtype)` what a result of `dtype` has."""

    def __init__(self, op: str, dtypes: list[str], is_number: list[bool]):
        self._operands, self._results = _OPERANDS.get(op, "T"), _RESULTS.get(op, "Tf")

        def those_of(letter: str, with_numbers: bool) -> list[str]:
            return [d for i, d in enumerate(dtypes) if is_real(d) and _letter(self._operands, i) == letter and (with_numbers or not is_number[i])]

        # A number beside a tensor takes its type.
        values = those_of("T", False) or those_of("T", True)
        self.type = _common(values) if values else "f32"
        parameters = those_of("P", True)
        self.parameter = self.type if parameters and _common(parameters) == self.type else "f32"

    def operand(self, index: int, dtype: str) -> str:
        if not is_real(dtype):
            return dtype
        return {"T": self.type, "P": self.parameter, "f": "f32"}[_letter(self._operands, index)]

    def result(self, index: int, dtype: str) -> str:
        """`dtype` is "f32" for a result of any real type."""
        if dtype != "f32":
            return dtype
        return {"T": self.type, "P": self.parameter, "f": "f32"}[_letter(self._results, index)]
