// live range
PlanStep step; // planStep is a function
