package org.saevhadoop.format.samediff.sdnb;

import java.util.List;
import java.util.SortedMap;

/**
 * The FlatGraph of an SDNB file, as far as it describes arrays.
 *
 * @param variables the variables in their order
 * @param metadata the metadata entries
 * @param unread the names of the parts of a model that the file has and that are not read
 */
record SdnbGraph(
    List<GraphVariable> variables, SortedMap<String, String> metadata, List<String> unread) {}
