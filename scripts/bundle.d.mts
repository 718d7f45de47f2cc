export declare function bundleFile(source: string): Promise<string>;
export function parleyProgram(): Promise<string>;
