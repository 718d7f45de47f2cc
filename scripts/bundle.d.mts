export declare function bundleFile(source: string): Promise<string>;
