"""Finding and completing documentation examples: one that is not found is never checked."""
from example_blocks import as_module, definitions_without_example, find_examples


def test_finds_blocks_with_their_lines():
    text = "a\n\n```mlir\n%0 = x\n```\n\n  ```mlir\n  %1 = y\n  ```\n```text\n%2\n```\n"
    assert [(e.line, e.text) for e in find_examples("f", text)] == [(4, "%0 = x\n"), (8, "  %1 = y\n")]


def test_before_and_after_stand_alone():
    text = "```mlir\n// Before\n%0 = x\n// After: y.\n%0 = y\n```\n"
    assert [(e.line, e.text) for e in find_examples("f", text)] == [
        (2, "// Before\n%0 = x\n"),
        (4, "// After: y.\n%0 = y\n"),
    ]


def test_names_definitions_without_example():
    text = "def A_Op : B { [{\n```mlir\nx\n```\n}] }\ndef C_Op : B {}\ndef NotAnything : B {}\n"
    assert definitions_without_example(text) == ["C_Op"]


def signature(text):
    return as_module(text).splitlines()[0]


def test_tensor_form_takes_operand_types():
    line = "%y = memplan.matmul %x, %w {transpose_rhs} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32>"
    assert signature(line) == "func.func @example(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) {"


def test_values_made_inside_are_no_arguments():
    text = "%y, %m = a.b %x : (tensor<4xf32>) -> (f32, f32)\n%z = a.c %y : (f32) -> f32  // reads %q\n"
    assert signature(text) == "func.func @example(%x: tensor<4xf32>) {"


def test_memref_form_and_views():
    text = (
        "%h = memref.view %arena[%c0][] : memref<8192xi8> to memref<4x16xf32>\n"
        "memplan.matmul ins(%x, %w : memref<4x8xf32>, memref<8x16xf32, strided<[16, 1]>>) outs(%h : memref<4x16xf32>)\n"
    )
    assert signature(text) == (
        "func.func @example(%arena: memref<8192xi8>, %c0: index, "
        "%x: memref<4x8xf32>, %w: memref<8x16xf32, strided<[16, 1]>>) {"
    )


def test_whole_functions_stay():
    text = "func.func @f() {\n  return\n}\n"
    assert as_module(text) == text
