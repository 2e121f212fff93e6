"""Colours for MLIR, which Pygments does not know."""
from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text


class MlirLexer(RegexLexer):
    name = "MLIR"
    aliases = ["mlir"]
    filenames = ["*.mlir"]
    tokens = {
        "root": [
            (r"//[^\n]*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"%[\w$.-]+(?:#\d+)?", Name.Variable),
            (r"@[\w$.-]+", Name.Function),
            (r"[\^#!][\w$.-]+", Name.Label),
            (r"\b(?:tensor|memref|vector|tuple)<[^<>\n]*>", Keyword.Type),
            (r"\b(?:index|none|(?:[su]?i|f|bf)\d+)\b", Keyword.Type),
            (r"-?\b\d+(?:\.\d*)?(?:[eE][-+]?\d+)?\b", Number),
            (r"\b[a-z_]\w*\.[\w.]+", Name.Builtin),
            (r"\b[A-Za-z_]\w*", Text),
            (r"->|[=:,()\[\]{}<>]", Operator),
            (r".|\n", Text),
        ]
    }
