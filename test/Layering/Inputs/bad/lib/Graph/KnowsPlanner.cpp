#include "memplan/Graph/KnowsIr.h"
#include "memplan/Planner/Arena/ArenaProblem.h"
