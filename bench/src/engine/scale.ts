/** How much is measured. */
export interface Scale {
  /** Interleaved samples; the tables show their medians. */
  readonly samples: number;
  /** How long each contender runs before its first sample, at least. */
  readonly warmUpMs: number;
  readonly turns: readonly number[];
  /** Lengths that growth is measured at; the peers stop earlier, for some of them grow with the square. */
  readonly growth: { readonly floor: readonly number[]; readonly peers: readonly number[] };
  readonly sessions: number;
}

export const FULL_SCALE: Scale = {
  samples: 5,
  warmUpMs: 4_000,
  turns: [50, 500],
  growth: { floor: [250, 500, 1_000, 2_000], peers: [125, 250, 500] },
  sessions: 1_000,
};

export const QUICK_SCALE: Scale = {
  samples: 3,
  warmUpMs: 1_000,
  turns: [50, 200],
  growth: { floor: [125, 250, 500, 1_000], peers: [50, 100, 200] },
  sessions: 200,
};
