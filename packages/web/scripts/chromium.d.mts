export declare function chromiumFromNpm(cache?: string): Promise<string>;
