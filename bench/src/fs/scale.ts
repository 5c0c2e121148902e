/** How much is searched and how often. */
export interface FsScale {
  readonly files: number;
  readonly logLines: number;
  /** The first of the 201 lines that are read from the middle of the log. */
  readonly middleLine: number;
  /** Interleaved samples; the tables show their medians. */
  readonly samples: number;
}

export const FULL_FS_SCALE: FsScale = {
  files: 20_000,
  logLines: 12_000_000,
  middleLine: 5_000_000,
  samples: 7,
};

export const QUICK_FS_SCALE: FsScale = {
  files: 2_000,
  logLines: 600_000,
  middleLine: 250_000,
  samples: 3,
};
