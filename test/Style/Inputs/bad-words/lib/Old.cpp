#include "PlanStep.h"
// live range
PlanStep step; // planStep is a function, a comment may say PlanStep
const char *text = "PlanStep"; /* PlanStep
PlanStep */ struct PlanStep;
TEST(PlanStep, plans) {}
int rung; // A rung is a word of code.
int viewMaker, isDear; // Makers; const char *text = "makers dear";
int createMaker, filmmaker, dearth;
