#include "PlanStep.h"
// live range
PlanStep step; // planStep is a function, a comment may say PlanStep
const char *text = "PlanStep"; /* PlanStep
PlanStep */ struct PlanStep;
TEST(PlanStep, plans) {}
int rung; // A rung is a word of code.
int viewMaker, isDear; // Makers; const char *text = "makers dear";
int createMaker, filmmaker, dearth;
/// Of the step.
int bytes; ///< Its bytes.
/// Bytes of the step.
/// Its second line may begin as it likes.
int more; // Of no contract.
