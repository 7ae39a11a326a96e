type CompileOptions = {
  readonly packages?: string;
  readonly alias?: Readonly<Record<string, string>>;
  readonly onSource?: ((path: string) => void) | undefined;
};

export function compileTypescript(file: string, options?: CompileOptions): Promise<string>;
