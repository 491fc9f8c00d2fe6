import { describe, expect, test } from 'vitest';
import { proxyFromEnv } from './proxy-from-env.ts';

const proxy = 'http://proxy.test:3128';

describe('proxyFromEnv', () => {
  test.each([
    ['no variable', 'https://k8s.test:6443', {}, undefined],
    ['the proxy for HTTPS', 'https://k8s.test:6443', { HTTPS_PROXY: proxy }, proxy],
    ['lower case', 'https://k8s.test', { https_proxy: proxy }, proxy],
    ['a proxy without its scheme', 'https://k8s.test', { HTTPS_PROXY: 'proxy.test:3128' }, proxy],
    ['plain HTTP has its own', 'http://k8s.test', { HTTPS_PROXY: proxy }, undefined],
    ['loopback', 'https://127.0.0.1:6443', { HTTPS_PROXY: proxy }, undefined],
    ['everything exempt', 'https://k8s.test', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
    ['the name itself', 'https://k8s.test', { HTTPS_PROXY: proxy, NO_PROXY: 'a.test, K8S.test' }, undefined],
    ['what is below a name', 'https://api.k8s.test', { HTTPS_PROXY: proxy, NO_PROXY: 'k8s.test' }, undefined],
    ['below only, with a leading dot', 'https://k8s.test', { HTTPS_PROXY: proxy, NO_PROXY: '.k8s.test' }, proxy],
    ['a name that only ends the same', 'https://mk8s.test', { HTTPS_PROXY: proxy, NO_PROXY: 'k8s.test' }, proxy],
    ['a network', 'https://10.96.0.1:443', { HTTPS_PROXY: proxy, NO_PROXY: '10.96.0.0/12' }, undefined],
    ['another network', 'https://10.1.0.1:443', { HTTPS_PROXY: proxy, NO_PROXY: '10.96.0.0/12' }, proxy],
    ['a network of IPv6', 'https://[fd00::1]:443', { HTTPS_PROXY: proxy, NO_PROXY: 'fd00::/8' }, undefined],
    ['an address of IPv6', 'https://[fd00::1]:443', { HTTPS_PROXY: proxy, NO_PROXY: 'fd00::1' }, undefined],
    ['another port', 'https://k8s.test:6443', { HTTPS_PROXY: proxy, NO_PROXY: 'k8s.test:443' }, proxy],
    ['nonsense', 'https://10.0.0.1', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/99,,/' }, proxy],
  ])('%s', (_, origin, env, expected) => {
    expect(proxyFromEnv(origin, env)).toBe(expected);
  });
});
