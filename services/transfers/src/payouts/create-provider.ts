import type { Config } from '#config.ts';
import { createPawapayProvider } from './pawapay/pawapay-provider.ts';
import type { PayoutProvider } from './payout-provider.ts';

/** The provider named in the settings. Connects only on the first call. */
export function createProvider(settings: Config): PayoutProvider {
  switch (settings.PAYOUT_PROVIDER) {
    case 'pawapay':
      return createPawapayProvider({
        baseUrl: settings.PAWAPAY_URL,
        token: settings.PAWAPAY_TOKEN,
        product: settings.PAWAPAY_PRODUCT,
        callbackAuthority: settings.PAWAPAY_CALLBACK_AUTHORITY,
        signedCallbacks: settings.PAWAPAY_SIGNED_CALLBACKS,
      });
  }
}
