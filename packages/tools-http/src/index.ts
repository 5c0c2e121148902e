export { httpTools } from './http-tools.js';
export { createPoster } from './post/create-poster.js';
export type { PostAnswer, Poster, PosterOptions } from './post/create-poster.js';
export type { Egress, HttpLimits, HttpToolsOptions, SelfOptions } from './options.js';
