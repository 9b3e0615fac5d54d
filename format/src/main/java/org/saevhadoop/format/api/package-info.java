/**
 * Annotations that define the public API. docs/api.md explains the compatibility promise and lists
 * the types.
 *
 * <ul>
 *   <li>A type marked with {@link org.saevhadoop.format.api.PublicApi} is part of the API.
 *   <li>A member of such a type that is marked with {@link org.saevhadoop.format.api.Internal} is not, and neither is any type of a package with that mark.
 *   <li>A package without a mark contains types of both kinds, or is the interface that further
 *   formats implement.
 * </ul>
 *
 * <p>The class files contain the marks, which the tests {@code ApiTypesTest} and {@code
 * ApiSignaturesTest} and the tool japicmp (profile {@code api}) read. The Javadoc of the API
 * contains only the marked types; a member with {@code Internal} also needs the tag {@code
 * @hidden}.
 */
@NullMarked
package org.saevhadoop.format.api;

import org.jspecify.annotations.NullMarked;
