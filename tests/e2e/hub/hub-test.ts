import { expect, test as base, watchContext, type Watch } from '../fixtures.ts';
import { HubServer } from './hub-server.ts';

export { expect };

/** Next to the port of the site that is tested. */
const PORT = Number(process.env['STEPLIGHT_E2E_PORT'] ?? 41_739) + 1;
const HUB_HOSTS = ['huggingface.co', 'cas-bridge.xethub.hf.co'];

const isHub = (url: string): boolean => HUB_HOSTS.includes(new URL(url).hostname);

/** Tests in a browser for which a server on this machine is the hub. */
export const test = base.extend<{ watch: Watch; hub: HubServer }>({
  launchOptions: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names from this pattern.
    async ({}, use, { project }) => {
      const { launchOptions } = project.use as {
        readonly launchOptions: { readonly args: readonly string[] };
      };
      const args = launchOptions.args.filter((arg) => !arg.startsWith('--host-resolver-rules'));
      const rules = HUB_HOSTS.map((host) => `MAP ${host} 127.0.0.1:${PORT}`);
      await use({
        ...launchOptions,
        args: [
          ...args,
          `--host-resolver-rules=${rules.join(', ')}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
          '--ignore-certificate-errors',
        ],
      });
    },
    { scope: 'worker' },
  ],
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names from this pattern.
  hub: async ({}, use) => {
    const hub = await HubServer.start('tests/fixtures/hub', PORT);
    await use(hub);
    await hub.close();
  },
  // Automatic, as the one that it stands in for.
  watch: async ({ context }, use) => {
    const watch = await watchContext(context, isHub);
    await use(watch);
    expect(watch.foreignRequests, 'requests to another host').toEqual([]);
    expect(watch.errors, 'errors on the console').toEqual([]);
  },
});
