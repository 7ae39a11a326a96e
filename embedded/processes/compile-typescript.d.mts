type CompileOptions = {
  readonly packages?: string;
  readonly alias?: Readonly<Record<string, string>>;
};

export function compileTypescript(file: string, options?: CompileOptions): Promise<string>;
