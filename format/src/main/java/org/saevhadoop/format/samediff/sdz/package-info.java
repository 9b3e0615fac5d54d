/**
 * SDZ files: ZIP archives of SDNB files, as SDZSerializer of deeplearning4j writes them.
 *
 * <p>The entry points are {@link org.saevhadoop.format.samediff.sdz.SdzFile}, which lists the
 * entries of an archive and reads their data, and {@link
 * org.saevhadoop.format.samediff.sdz.SdzWriter}, which writes an archive. {@link
 * org.saevhadoop.format.samediff.sdz.SdzError} lists the kinds of errors, {@link
 * org.saevhadoop.format.samediff.sdz.SdzLimits} the limits. What the entries contain is not known
 * here. {@link org.saevhadoop.format.samediff.sdz.ReadChecksum} compares a stored entry that is
 * read in place, in any order, with its CRC-32.
 *
 * <p>nd4j reads an archive from its beginning ({@code ZipInputStream}) or from its central
 * directory ({@code ZipFile}), depending on its version. Archives that show each of them other
 * entries, sizes or names are refused: {@code EndRecord} finds the directory, {@code
 * CentralDirectory} reads it, and {@code EntryLayout} compares it with the local headers and data
 * descriptors. Archives that are accepted are accepted by {@code java.util.zip.ZipFile}, with the
 * same entries.
 *
 * <p>The directory is parsed here rather than by the {@code ZipFile} of Apache Commons Compress,
 * which neither shows where local headers are nor bounds the memory and the time that extra fields
 * take. Writing uses its {@code ZipArchiveOutputStream}.
 *
 * <p>Sources: APPNOTE.TXT 6.3.10 of PKWARE (ZIP), RFC 1951 (DEFLATE), {@code ZipFile.java} of
 * OpenJDK 17 (where an archive begins and ends), and SDZSerializer.java of deeplearning4j, commit
 * 0db14318.
 */
package org.saevhadoop.format.samediff.sdz;
