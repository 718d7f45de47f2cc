export declare function bundleFile(source: string): Promise<string>;
export function parleyProgram(): Promise<string>;
export function recipeVaultProgram(): Promise<string>;
