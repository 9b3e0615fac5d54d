/**
 * Reading ZIP archives in place, without extraction, and writing ZIP archives.
 *
 * <p>The entry points are {@link org.saevhadoop.format.zip.ZipArchive}, which lists the entries of
 * an archive and reads their data, and {@link org.saevhadoop.format.zip.ZipWriter}, which writes an
 * archive. A format passes the names that it allows ({@link org.saevhadoop.format.zip.EntryNames});
 * {@link org.saevhadoop.format.zip.ZipError} lists the kinds of errors. {@link
 * org.saevhadoop.format.zip.ReadChecksum} compares a stored entry that is read in place, in any
 * order, with its CRC-32.
 *
 * <p>Some readers read an archive from its beginning ({@code java.util.zip.ZipInputStream}), others
 * from its central directory ({@code java.util.zip.ZipFile}). Archives that show different entries,
 * sizes or names to different readers are refused. {@code java.util.zip.ZipFile} also accepts all
 * archives that are accepted here, and shows the same entries. docs/decisions.md explains why the
 * directory is parsed here rather than by Apache Commons Compress, which is used to write archives.
 *
 * <p>Sources: APPNOTE.TXT 6.3.10 by PKWARE (ZIP), RFC 1951 (DEFLATE), and {@code ZipFile.java} in
 * OpenJDK 17 (where an archive begins and ends).
 */
@NullMarked
package org.saevhadoop.format.zip;

import org.jspecify.annotations.NullMarked;
