/**
 * SDZ files: ZIP archives of SDNB files, as SDZSerializer of deeplearning4j writes them.
 *
 * <p>The entry point is {@link org.saevhadoop.format.samediff.sdz.SdzFile}, which opens an archive
 * and finds the entries that may be an SDNB. {@link org.saevhadoop.format.samediff.sdz.SdzLimits}
 * lists the limits of nd4j's loader. What the entries contain is not known here.
 *
 * <p>nd4j reads an archive from its beginning ({@code ZipInputStream}) or from its central
 * directory ({@code ZipFile}), depending on its version. {@link org.saevhadoop.format.zip} refuses
 * archives that show each of them other entries. Only entries in the root are accepted, as nd4j
 * fails for others.
 *
 * <p>Source: SDZSerializer.java of deeplearning4j, commit 0db14318.
 */
@NullMarked
package org.saevhadoop.format.samediff.sdz;

import org.jspecify.annotations.NullMarked;
