/** The bundled code of a worker, as a string: see README.md. */
declare module '*?worker-source' {
  const source: string;
  export default source;
}
