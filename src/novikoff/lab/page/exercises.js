export function startExercises() {}
