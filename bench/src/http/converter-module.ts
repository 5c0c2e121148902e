/** What a converter exports, so that the measured process can load it by its path. */
export interface ConverterModule {
  readonly convert: (html: string) => string;
}
