import assert from 'node:assert/strict';
import { writeWebviewPage, writePolicy } from '../../../src/shell/kit/webview-page';

const page = {
  nonce: 'n0nce',
  cspSource: 'https://*.vscode-cdn.net',
  scriptUri: 'https://x/webview.js?a=1&b="2"',
  styleUris: ['https://x/dashboard.css', 'https://x/review.css?"'],
  title: '<img src=x onerror=alert(1)>"',
  serverId: '"><script>alert(1)</script>',
  serverLabel: '<b>"',
  language: 'de',
  texts: null,
};

describe('the page of a webview', () => {
  it('has exactly this policy', () => {
    assert.equal(
      writePolicy(page),
      "default-src 'none'; script-src 'nonce-n0nce'; style-src https://*.vscode-cdn.net; img-src https://*.vscode-cdn.net data:; font-src https://*.vscode-cdn.net; base-uri 'none'; form-action 'none'",
    );
    assert.ok(writeWebviewPage(page).includes(`content="${writePolicy(page)}"`));
  });

  it('has one script, with the nonce, and nothing inline', () => {
    const html = writeWebviewPage(page);
    assert.deepEqual(html.match(/<script[^>]*>/g), [
      '<script nonce="n0nce" src="https://x/webview.js?a=1&amp;b=&quot;2&quot;">',
    ]);
    assert.match(html, /<script[^>]*><\/script>/);
    assert.deepEqual(html.match(/<link[^>]*>/g), [
      '<link rel="stylesheet" href="https://x/dashboard.css">',
      '<link rel="stylesheet" href="https://x/review.css?&quot;">',
    ]);
    assert.doesNotMatch(html, /<style|<[^>]+\s(?:style|on\w+)\s*=/i);
  });

  it('takes no text for markup', () => {
    const html = writeWebviewPage(page);
    assert.ok(html.includes('<title>&lt;img src=x onerror=alert(1)&gt;&quot;</title>'));
    assert.ok(html.includes('data-server-id="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"'));
    assert.ok(html.includes('data-server-label="&lt;b&gt;&quot;"'));
  });

  it('hands over the texts of the language, and says which it is', () => {
    assert.match(writeWebviewPage(page), /<html lang="en">/);
    const html = writeWebviewPage({ ...page, texts: { 'Pin "{0}"': '„{0}" <anheften>' } });
    assert.match(html, /<html lang="de">/);
    assert.ok(
      html.includes(
        'data-texts="{&quot;Pin \\&quot;{0}\\&quot;&quot;:&quot;„{0}\\&quot; &lt;anheften&gt;&quot;}"',
      ),
    );
  });
});
