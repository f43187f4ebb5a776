/** Entry of the webview that shows an error log that was read without a server. */
import type { FromErrorLog, ToErrorLog } from '../../protocol';
import { joinPage } from '../kit/page-host';
import { ErrorLogView } from './error-log-view';

joinPage<ToErrorLog, FromErrorLog>((root, host) => new ErrorLogView(root, window, host));
