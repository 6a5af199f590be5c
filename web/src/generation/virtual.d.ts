/** Made by `plugins/wllama.ts`. */
declare module "virtual:wllama-worker" {
  export const workerAddress: string;
  export const threadAddress: string;
}
