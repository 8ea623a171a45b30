/** The path under which the hub serves the style sheet. */
declare module '*.loaded.css' {
  const path: string;
  export default path;
}
