/**
 * The one address of a script that the page makes at run time, as Trusted Types want it.
 *
 * Under `require-trusted-types-for 'script'` a worker can only be started from an address that a named policy has
 * passed. This one (`trusted-types openbook lit-html` in the page's policy) passes what is beside the page's own script.
 */

interface Policy {
  createScriptURL(address: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy;
}

/** Made below, of the site's own address. */
let relay = "";

const rules: Policy = {
  createScriptURL(address) {
    if (address !== "" && address === relay) return address;
    const url = new URL(address, import.meta.url);
    if (url.origin !== new URL(import.meta.url).origin) throw new TypeError(`${url.href} is not of this site`);
    return url.href;
  },
};

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** The rules alone where there are no Trusted Types, or the policy may not be made: a worker then starts or says why. */
const policy = ((): Policy => {
  try {
    return trustedTypes?.createPolicy("openbook", rules) ?? rules;
  } catch {
    return rules;
  }
})();

/**
 * The address of a script that does nothing but import another: a worker of another origin cannot be started, but one
 * of this page's origin may import a script that its host allows to be read (CORS).
 */
export function trustedRelay(script: URL): string {
  relay = URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" }));
  return policy.createScriptURL(relay);
}

export function trustedScript(address: string): string {
  return policy.createScriptURL(address);
}
