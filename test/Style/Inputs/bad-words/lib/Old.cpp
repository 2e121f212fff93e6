#include "PlanStep.h"
// live range
PlanStep step; // planStep is a function, a comment may say PlanStep
const char *text = "PlanStep"; /* PlanStep
PlanStep */ struct PlanStep;
TEST(PlanStep, plans) {}
int rung; // A rung is a word of code.
