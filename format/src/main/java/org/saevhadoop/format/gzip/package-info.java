/**
 * gzip files (RFC 1952, and BGZF as htslib's specification has it): {@link
 * org.saevhadoop.format.gzip.PlainOrGzip} reads them, {@link org.saevhadoop.format.gzip.BgzfOutput}
 * writes them. {@link org.saevhadoop.format.gzip.GzipError} names what can be wrong with one.
 */
package org.saevhadoop.format.gzip;
