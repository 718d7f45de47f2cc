export function programsIn(folder: string): readonly string[];
