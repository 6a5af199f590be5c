/** Made by `plugins/lengths.ts`. */
declare module "virtual:tokens" {
  export const tokens: string;
}
