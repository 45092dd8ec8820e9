# make_libraries FOLDER: what the self-contained wheel links statically, for cmake/bundled.cmake. Sourced by tools/wheel.
#
# Headers of fmt, CLI11, Boost and xxHash, and SQLite's static library, are those of the packages that every build uses.
# ISA-L, simdjson and zstd are compiled: Debian has no static library of the first two, and its zstd cannot become part
# of a shared library, which the collector is. Their sources are Debian's own, so the versions are those of every other
# build; apt checks signatures, and the hashes below that it is still the same. ISA-L's assembler comes the same way.
sources=(
  "libisal 2.30.0 tar.xz f363f1be3d657d5676cef5253ee2233e60116e2fa9c9de86881185bf81e0e4b8"
  "simdjson 3.0.1 tar.gz 156b1bc5eb0561b2bd166b46d191fd3d95a3e709cc63761477d3b7aec2b6e9ed"
  "libzstd 1.5.4+dfsg2 tar.xz 8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953"
)
licensed=(libisal-dev libsimdjson-dev libzstd-dev libxxhash-dev libfmt-dev libcli11-dev libsqlite3-dev libboost1.81-dev)

make_libraries() {
  local folder=$1 source name version ending hash
  rm -rf "$folder.next" && mkdir -p "$folder.next"/{include,lib,licenses,sources}
  fetch_sources "$folder.next" || return
  for source in "${sources[@]}"; do
    read -r name version ending hash <<<"$source"
    mkdir "$folder.next/$name"
    tar -xf "$folder.next/sources/${name}_$version.orig.$ending" -C "$folder.next/$name" --strip-components=1 || return
  done
  (
    cd "$folder.next" || exit
    dpkg-deb --extract sources/nasm_*.deb nasm &&
      make -C libisal -f Makefile.unx -j"$(nproc)" units='igzip crc' CC="$CC" AR="$AR" AS="$PWD/nasm/usr/bin/nasm" lib ||
      exit
    cp libisal/bin/isa-l.a lib/libisal.a
    cp -r libisal/include include/isa-l
    cp simdjson/singleheader/simdjson.h libzstd/lib/zstd{,_errors}.h /usr/include/{xxhash,sqlite3}.h include/
    ln -s /usr/include/{fmt,CLI,boost} include/
    cp "$(pkg-config --variable=libdir sqlite3)/libsqlite3.a" lib/
    for name in "${licensed[@]}"; do
      cp "/usr/share/doc/$name/copyright" "licenses/$name.txt" || exit
    done
  ) || return
  rm -rf "$folder" && mv "$folder.next" "$folder"
}

# Into sources/, with lists of our own, made from the machine's: no root is needed, and nothing of the machine changes.
fetch_sources() {
  local apt=$PWD/$1/apt names=() source name version ending hash
  mkdir -p "$apt"/{lists,cache,parts}
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    sed -n 's/^deb \(.*\)/deb \1\ndeb-src \1/p' >"$apt/parts/machine.list"
  cat /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed 's/^Types:.*/Types: deb deb-src/' >"$apt/parts/machine.sources"
  cat >"$apt/apt.conf" <<END
Dir::State::lists "$apt/lists";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/parts";
APT::Sandbox::User "";
Debug::NoLocking "1";
END
  export APT_CONFIG=$apt/apt.conf
  apt-get update
  for source in "${sources[@]}"; do
    read -r name version ending hash <<<"$source"
    names+=("$name")
  done
  (cd "$1/sources" && apt-get source --download-only "${names[@]}" && apt-get download nasm) || return
  unset APT_CONFIG
  for source in "${sources[@]}"; do
    read -r name version ending hash <<<"$source"
    echo "$hash  $1/sources/${name}_$version.orig.$ending"
  done | sha256sum --check
}
