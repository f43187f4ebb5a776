/** What tests of every other host need of each. */
import type { OtherHost } from '../../src/hosts/host';
import { way as azdataWay } from '../e2e/azdata/way';
import { way as mssqlWay } from '../e2e/mssql/way';
import type { Way } from '../e2e/ways/way';
import { through as throughAzdata } from './azdata/through';
import { through as throughMssql } from './mssql/through';
import type { Through } from './through';

interface HostTest {
  /** A simulated server by way of a fake of the product. */
  readonly through: Through;
  /** The product's stand-in in a real VS Code. */
  readonly way: Way;
}

export const everyHost: { readonly [Name in OtherHost]: HostTest } = {
  azdata: { through: throughAzdata, way: azdataWay },
  mssql: { through: throughMssql, way: mssqlWay },
};
