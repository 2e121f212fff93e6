def SilentOp : Op<"silent">;
