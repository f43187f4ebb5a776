const vscode = require('vscode');
const { openChannel } = require('./channel');

/** Our extension's id and the view that npm start shows first. */
const productId = 'checkpoint-health.checkpoint-health';
const viewContainer = 'checkpoint-health';

/**
 * Environment, set by the program that starts VS Code: CHECKPOINT_HEALTH_DEV_SERVER JSON {name, server, port, user,
 * password, encrypt, trustServerCertificate} of a server to add, and CHECKPOINT_HEALTH_DEV_CHANNEL a file to write the
 * channel's address to (tests only).
 */
exports.activate = async (context) => {
  const { CHECKPOINT_HEALTH_DEV_SERVER: server, CHECKPOINT_HEALTH_DEV_CHANNEL: channelFile } = process.env;
  if (channelFile) context.subscriptions.push(await openChannel(channelFile, answers));
  if (server) await addAndShow(JSON.parse(server));
};

/* What a test may ask. */
const answers = {
  documents: () => vscode.workspace.textDocuments.map(describeDocument),
  activeDocument: () =>
    vscode.window.activeTextEditor && describeDocument(vscode.window.activeTextEditor.document),
  runCommand: async ({ id, args }) => (await vscode.commands.executeCommand(id, ...args)) ?? null,
  setSetting: ({ key, value }) =>
    vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global),
  extension: ({ id }) => {
    const extension = vscode.extensions.getExtension(id);
    return (
      extension && { id: extension.id, version: extension.packageJSON.version, isActive: extension.isActive }
    );
  },
  activate: async ({ id }) => void (await vscode.extensions.getExtension(id).activate()),
  addServer: ({ server }) => addServer(server),
  useTool: async ({ name, input }) => {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map(({ value }) => value).join('');
  },
};

function describeDocument(document) {
  return {
    uri: document.uri.toString(),
    languageId: document.languageId,
    isUntitled: document.isUntitled,
    lineCount: document.lineCount,
    text: document.getText(),
  };
}

/** Gives the id that the product gave it. */
async function addServer(server) {
  const product = vscode.extensions.getExtension(productId);
  if (!product) throw new Error(`${productId} is not installed`);
  const api = await product.activate();
  return api.addServer({ caller: 'Checkpoint Health development', ...server });
}

async function addAndShow(server) {
  try {
    // The simulator's clock runs 20 seconds a second: sampled about as often as a real server is.
    await vscode.workspace
      .getConfiguration('checkpointHealth')
      .update('sampleIntervalSeconds', 1, vscode.ConfigurationTarget.Global);
    await addServer(server);
    await vscode.commands.executeCommand(`workbench.view.extension.${viewContainer}`);
  } catch (error) {
    vscode.window.showErrorMessage(`The simulator could not be added: ${error.message}`);
  }
}
